// Indices, numbers and names of AArch64 registers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../feed/operand_list.hpp"
#include "../feed/recorded_state.hpp"

namespace tracecodec::arm {

// Indices of registers: 0 to 30 are x0 to x30, 31 is sp, 32 to 63 are v0 to v31.
inline constexpr std::uint8_t link_register = 30, stack_register = 31, first_vector = 32,
                              flags_register = 64;

inline constexpr std::uint8_t renumbered_x0 = 67;
// Returns the number of the register with index `r` for simulators. Registers whose indices have a
// fixed meaning in ChampSim have the numbers from 64 to 67 instead.
constexpr std::uint8_t number_of(std::uint8_t r) noexcept {
  if (r == 0) return renumbered_x0;
  if (r == feed::flags) return 66;
  if (r == feed::stack_pointer) return 65;
  if (r == feed::instruction_pointer) return 64;
  return r == flags_register ? feed::flags : r;
}

// Returns the name of the register with the number `number`, such as "x0", "sp", "v31" or "nzcv".
// Returns an empty text for other numbers.
inline std::string name_of(std::uint8_t number) {
  if (number == feed::instruction_pointer) return "pc";
  if (number == feed::stack_pointer) return "sp";
  if (number == feed::flags) return "nzcv";
  for (std::uint8_t n = 0; n != flags_register; ++n)
    if (number_of(n) == number) {
      if (n == stack_register) return "sp";
      return n < first_vector ? 'x' + std::to_string(n) : 'v' + std::to_string(n - first_vector);
    }
  return {};
}

// x0 to x30, sp and pc.
inline constexpr auto general_words = [] {
  std::array<feed::register_part, std::size_t{stack_register} + 2> all{};
  for (std::uint8_t n = 0; n <= stack_register; ++n) all[n] = {number_of(n), 0, 8};
  all.back() = {feed::instruction_pointer, 0, 8};
  return all;
}();

}  // namespace tracecodec::arm
