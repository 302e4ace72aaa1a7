// Registers of an instruction set as GDB numbers and describes them, and their places in a trace.
#pragma once
#include <tracecodec/feed/column_source.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debug {

enum class instruction_set : std::uint8_t { x86, x64, aarch64, riscv64 };

// Returns the instruction set of a trace. Traces without registers of their own are x86-64 unless
// their code is 32-bit. Throws trace_error(refused) for registers of another instruction set.
instruction_set instruction_set_of(tracecodec::feed::column_source& trace);

// Register in the order of GDB's numbers.
struct target_register {
  // Where the value comes from: `usual` registers are those of the trace.
  enum class role : std::uint8_t { usual, program_counter, zero };

  std::string name = {};
  std::uint32_t size = 0;    // in bytes
  std::uint8_t number = 0;   // in the trace, or 0 if traces do not have the register
  std::uint32_t offset = 0;  // of the first byte in the trace's register
  std::uint32_t most = 0;    // number of bytes that the trace's register has; the rest is 0
  role is = role::usual;
  std::string_view type = {};  // of the description, or empty for an integer
};

// Groups of registers that not every trace has.
struct register_groups {
  bool vectors = false;       // AArch64's v0 to v31, RISC-V's f0 to f31
  bool wide_vectors = false;  // upper halves of x86's ymm registers
};

struct target_description {
  std::vector<target_register> registers = {};
  std::string xml = {};
};
target_description describe(instruction_set set, const register_groups& groups);

}  // namespace debug
