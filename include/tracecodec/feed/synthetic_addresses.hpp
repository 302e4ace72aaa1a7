// Synthetic addresses: this library derives them from numbers, for traces whose events have
// numbers instead of addresses. The scheme is the library's own. The functions also
// recognise such addresses in records that conversions write.
#pragma once
#include <cstdint>

namespace tracecodec::feed {

struct synthetic_addresses {
  static constexpr std::uint64_t code = std::uint64_t{1} << 22;   // + 4 * location
  static constexpr std::uint64_t data = std::uint64_t{1} << 44;   // + 8 * variable
  static constexpr std::uint64_t locks = std::uint64_t{1} << 45;  // + 64 * lock
  static constexpr std::uint64_t bytes_of_location = 4, bytes_of_variable = 8, bytes_of_lock = 64;
  // Largest numbers of a location, and of a variable or lock.
  static constexpr std::uint64_t largest_location = 32767, largest_operand = 0x3'FFFF'FFFF;

  // Returns the address of instruction i of WebAssembly function f: (f + 1) * 2^32 + (64 * f +
  // 4 * i) mod 2^32. Functions thus lie far apart, but do not all map to the same lines of a
  // cache.
  [[nodiscard]] static constexpr std::uint64_t ip(std::uint64_t function,
                                                  std::uint64_t instruction) noexcept {
    return (function + 1) << 32 | ((64 * function + 4 * instruction) & 0xFFFF'FFFF);
  }

  // True if `address` may be that of an instruction: of a location, or of a function with
  // fewer than 2^24 instructions.
  [[nodiscard]] static constexpr bool may_be_ip(std::uint64_t address) noexcept {
    if (address % 4 != 0) return false;
    if (address >> 32 == 0)
      return address >= code && address - code <= bytes_of_location * largest_location;
    const std::uint64_t function = (address >> 32) - 1;
    return ((address - std::uint64_t{64} * function) & 0xFFFF'FFFF) < std::uint64_t{4} << 24;
  }

  // True if an event at `ip` may access `operand`: a synthetic variable or lock, an address of
  // the program, or 0 for none. An operand that could itself be an ip of that kind is more
  // likely the next word of a table.
  [[nodiscard]] static constexpr bool may_be_event(std::uint64_t ip,
                                                   std::uint64_t operand) noexcept {
    if (!may_be_ip(ip)) return false;
    if (operand >= locks) return is_nth(operand - locks, bytes_of_lock);
    if (operand >= data) return is_nth(operand - data, bytes_of_variable);
    const bool named_location = ip >> 32 != 0, of_32_bits = operand >> 32 == 0;
    return (named_location && of_32_bits) || !may_be_ip(operand);
  }

 private:
  // True if `offset` is a multiple of `bytes`, and its quotient a number that an operand can
  // have.
  [[nodiscard]] static constexpr bool is_nth(std::uint64_t offset, std::uint64_t bytes) noexcept {
    return offset % bytes == 0 && offset / bytes <= largest_operand;
  }
};

}  // namespace tracecodec::feed
