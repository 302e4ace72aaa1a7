// Calling conventions: where arguments and results are.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "call_stack.hpp"

namespace tracecodec::analysis {

struct calling_convention {
  std::string_view name = {};
  // Names of the registers that hold the first integer arguments.
  std::array<std::string_view, 8> arguments = {};
  std::string_view result = {}, stack_pointer = {};
  std::uint8_t word = 8;  // size of an argument in bytes
  // Number of arguments to read from the stack, above the return address.
  std::uint8_t stack_arguments = 0;

  [[nodiscard]] constexpr std::size_t register_arguments() const noexcept {
    std::size_t n = 0;
    while (n != arguments.size() && !arguments[n].empty()) ++n;
    return n;
  }
  [[nodiscard]] constexpr std::size_t count() const noexcept {
    return register_arguments() + stack_arguments;
  }
};

// System V AMD64 ABI 3.2.3, Microsoft's x64 calling convention, cdecl of 32-bit x86, AAPCS64 6.8.2,
// and the RISC-V calling convention. More arguments can be on the stack.
inline constexpr std::array<calling_convention, 5> calling_conventions{
    {{.name = "sysv",
      .arguments = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"},
      .result = "rax",
      .stack_pointer = "rsp"},
     {.name = "microsoft",
      .arguments = {"rcx", "rdx", "r8", "r9"},
      .result = "rax",
      .stack_pointer = "rsp"},
     {.name = "cdecl", .result = "eax", .stack_pointer = "esp", .word = 4, .stack_arguments = 4},
     {.name = "aapcs64",
      .arguments = {"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"},
      .result = "x0",
      .stack_pointer = "sp"},
     {.name = "riscv",
      .arguments = {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"},
      .result = "a0",
      .stack_pointer = "sp"}}};

// Returns the number of the register called `name` in the trace's column `register_values`, or 0.
TRACECODEC_FUNC std::uint8_t register_number(const feed::column_source& trace,
                                             std::string_view name);
// Returns the usual convention for the trace's processor, or nullptr if the trace has no registers
// of a known processor. `is_microsoft` selects Microsoft's convention for x86-64.
TRACECODEC_FUNC const calling_convention* usual_convention(feed::column_source& trace,
                                                           bool is_microsoft);
// Selects the stack pointer for column `register_value`, if the trace has its values.
TRACECODEC_FUNC stack_pointer_column select_stack_pointer(feed::column_source& trace);

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/calling_convention.ipp"
#endif
