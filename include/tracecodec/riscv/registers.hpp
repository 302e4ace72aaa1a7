// Numbers and names of RISC-V registers.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../x86/lower_case.hpp"

namespace tracecodec::riscv {

// Returns the number of general register `n` (x0 to x31) for simulators: 6 for the stack pointer
// (x2), 0 for the zero register, and 32 + n for the other ones.
constexpr std::uint8_t number_of_general(unsigned n) noexcept {
  if (n == 0) return 0;
  return static_cast<std::uint8_t>(n == 2 ? 6 : 32 + n);
}
// Returns the number of floating-point register or vector register `n`: 64 + n.
constexpr std::uint8_t number_of_other(unsigned n) noexcept {
  return static_cast<std::uint8_t>(64 + n);
}

// Names of the general registers in the calling convention.
inline constexpr std::array<std::string_view, 32> general_names{
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

// Returns the number of the register called x1 to x31, f0 to f31, v0 to v31, fp, or as in
// general_names, ignoring case. Returns nullopt for other names, and for the zero register.
inline std::optional<std::uint8_t> find_register(std::string_view name) {
  std::string lower = x86::lower_case(name);
  if (lower == "fp") lower = "s0";
  for (unsigned n = 0; n != general_names.size(); ++n) {
    const std::string digits = std::to_string(n);
    if (n != 0 && (lower == general_names[n] || lower == 'x' + digits)) return number_of_general(n);
    if (lower == 'f' + digits || lower == 'v' + digits) return number_of_other(n);
  }
  return std::nullopt;
}

// Returns the name of the register with the number `number`, such as "sp", "a0" or "f7". Floating-point
// and vector registers share numbers. Returns an empty text for other numbers.
inline std::string name_of(std::uint8_t number) {
  for (unsigned n = 1; n != general_names.size(); ++n)
    if (number_of_general(n) == number) return std::string(general_names[n]);
  const unsigned first = number_of_other(0);
  if (number < first || number >= first + general_names.size()) return {};
  return 'f' + std::to_string(number - first);
}

}  // namespace tracecodec::riscv
