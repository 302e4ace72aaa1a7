// Synthetic addresses for traces whose events contain numbers instead of addresses. The mapping of
// numbers to addresses is specific to this library. Conversions write synthetic addresses to
// records, and the functions also recognise them there.
#pragma once
#include <cstdint>

#include "../config.hpp"

namespace tracecodec::feed {

struct synthetic_addresses {
  static constexpr std::uint64_t code = std::uint64_t{1} << 22;   // location n is at code + 4 * n
  static constexpr std::uint64_t data = std::uint64_t{1} << 44;   // variable n is at data + 8 * n
  static constexpr std::uint64_t locks = std::uint64_t{1} << 45;  // lock n is at locks + 64 * n
  static constexpr std::uint64_t bytes_of_location = 4, bytes_of_variable = 8, bytes_of_lock = 64;
  // Largest location number, and largest variable or lock number.
  static constexpr std::uint64_t largest_location = 32767, largest_operand = 0x3'FFFF'FFFF;

  // Returns the address of instruction `i` of WebAssembly function `f`: (f + 1) * 2^32 + (64 * f +
  // 4 * i) mod 2^32. The addresses of functions are far apart, but do not all map to the same cache
  // lines.
  [[nodiscard]] static constexpr std::uint64_t ip(std::uint64_t function,
                                                  std::uint64_t instruction) noexcept {
    return (function + 1) << 32 | ((64 * function + 4 * instruction) & 0xFFFF'FFFF);
  }

  // Returns true if `address` can be the synthetic address of a location, or of an instruction in a
  // function with fewer than 2^24 instructions.
  [[nodiscard]] static constexpr bool may_be_ip(std::uint64_t address) noexcept {
    if (address % 4 != 0) return false;
    if (address >> 32 == 0)
      return address >= code && address - code <= bytes_of_location * largest_location;
    const std::uint64_t function = (address >> 32) - 1;
    return ((address - std::uint64_t{64} * function) & 0xFFFF'FFFF) < std::uint64_t{4} << 24;
  }

  // Returns true if an event at `ip` can access `operand`: a synthetic variable or lock, an address
  // of the program, or 0 for no operand. If `operand` can itself be an ip, it is more likely the
  // next word of a table. Such an operand is rejected, unless `ip` is in a function and the operand
  // has at most 32 bits.
  [[nodiscard]] static constexpr bool may_be_event(std::uint64_t ip,
                                                   std::uint64_t operand) noexcept {
    if (!may_be_ip(ip)) return false;
    if (operand >= locks) return is_nth(operand - locks, bytes_of_lock);
    if (operand >= data) return is_nth(operand - data, bytes_of_variable);
    const bool named_location = ip >> 32 != 0, of_32_bits = operand >> 32 == 0;
    return (named_location && of_32_bits) || !may_be_ip(operand);
  }

 private:
  // Returns true if `offset` is a multiple of `bytes` and the quotient is a valid operand number.
  [[nodiscard]] static constexpr bool is_nth(std::uint64_t offset, std::uint64_t bytes) noexcept {
    return offset % bytes == 0 && offset / bytes <= largest_operand;
  }
};

}  // namespace tracecodec::feed
