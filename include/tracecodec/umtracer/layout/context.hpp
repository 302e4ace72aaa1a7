// The context map (11): context_map.itable, which has no table header.
#pragma once
#include <array>
#include <cstdint>

#include "common.hpp"

namespace tracecodec::umtracer {

// The elements of each array of the file: registers that it has room for.
inline constexpr std::size_t context_registers = 512;

// Where a register lies in a context of one mode.
struct register_info {
  std::uint16_t offset;   // 0xFFFF: not in this context
  std::uint8_t size;      // bytes; 0: not in this context
  std::uint16_t largest;  // the register that encloses it here

  [[nodiscard]] constexpr bool present() const noexcept { return offset != 0xFFFF && size != 0; }
  friend constexpr bool operator==(const register_info&, const register_info&) = default;
};
using register_info_codec = wire::record<
    wire::fields<wire::field<&register_info::offset>, wire::field<&register_info::size>,
                 wire::padding<1>, wire::field<&register_info::largest>, wire::padding<2>>>;

// The whole file but its padding is laid out in arrays of 512; the first element_count count.
struct context_header {
  std::uint16_t dump_size;  // bytes of a context
  std::uint16_t element_count;
  friend constexpr bool operator==(const context_header&, const context_header&) = default;
};
using context_header_codec =
    wire::record<wire::fields<wire::field<&context_header::dump_size>,
                              wire::field<&context_header::element_count>, wire::padding<12>>>;

using register_name_codec = wire::array_of<wire::scalar<char, wire::order::little>, 16>;

// Where each array begins, from the file's start, and where the last one ends.
inline constexpr std::size_t common_name_offset = 16;
inline constexpr std::size_t name_offset = 1040;  // 16 bytes each, ended by 0
inline constexpr std::size_t map32_offset = 9232;
inline constexpr std::size_t map64_offset = 13328;
inline constexpr std::size_t context_map_size = 17424;

}  // namespace tracecodec::umtracer
