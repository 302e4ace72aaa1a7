// Layout of the context map (UMTracer specification, 11): context_map.itable, which has no table
// header.
#pragma once
#include <array>
#include <cstdint>

#include "../../wire/layout/laid_out_as.hpp"
#include "common.hpp"

namespace tracecodec::umtracer {

// Number of elements in each array of the file. Each array has one element for each register.
inline constexpr std::size_t context_registers = 512;

// Location of a register in the contexts of one mode, 32-bit or 64-bit.
struct register_info {
  std::uint16_t offset;  // 0xFFFF if the contexts do not contain the register
  std::uint8_t size;     // in bytes; 0 if the contexts do not contain the register
  // Number of the largest register that contains this register, in this mode.
  std::uint16_t largest;

  [[nodiscard]] constexpr bool present() const noexcept { return offset != 0xFFFF && size != 0; }
  friend constexpr bool operator==(const register_info&, const register_info&) = default;
};
using register_info_codec = wire::record<
    wire::fields<wire::field<&register_info::offset>, wire::field<&register_info::size>,
                 wire::padding<1>, wire::field<&register_info::largest>, wire::padding<2>>>;
static_assert(wire::is_laid_out_as<register_info_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     offset
2       1     size
3       1     (padding)
4       2     largest
6       2     (padding)
)">);

// Header of the file. Arrays of 512 elements follow. Only the first element_count elements of each
// array are valid.
struct context_header {
  std::uint16_t dump_size;  // size of a context, in bytes
  std::uint16_t element_count;
  friend constexpr bool operator==(const context_header&, const context_header&) = default;
};
using context_header_codec =
    wire::record<wire::fields<wire::field<&context_header::dump_size>,
                              wire::field<&context_header::element_count>, wire::padding<12>>>;
static_assert(wire::is_laid_out_as<context_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     dump_size
2       2     element_count
4       12    (padding)
)">);

using register_name_codec = wire::array_of<wire::scalar<char, wire::order::little>, 16>;

// Offset of each array and of the end of the last array, from the start of the file.
inline constexpr std::size_t common_name_offset = 16;
inline constexpr std::size_t name_offset = 1040;  // each name has 16 bytes and is null-terminated
inline constexpr std::size_t map32_offset = 9232;
inline constexpr std::size_t map64_offset = 13328;
inline constexpr std::size_t context_map_size = 17424;

static_assert(common_name_offset == context_header_codec::size);
static_assert(name_offset == common_name_offset + 2 * context_registers);
static_assert(map32_offset == name_offset + register_name_codec::size * context_registers);
static_assert(map64_offset == map32_offset + register_info_codec::size * context_registers);
static_assert(context_map_size == map64_offset + register_info_codec::size * context_registers);

}  // namespace tracecodec::umtracer
