// Encodes the contexts of records. Also encodes the context map, which contains the location of
// each register in a context.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../../config.hpp"
#include "../layout/context.hpp"
#include "../layout/exec.hpp"
#include "../reader/record.hpp"

namespace tracecodec::umtracer {

// Context to write. A context contains all registers, in the layout of the context map, and some
// memory.
struct context_values {
  std::span<const std::byte> registers = {};
  std::span<const memory_reference> memory = {};
};

// Returns the size of the context's rmContext in bytes.
std::size_t context_extent(const context_values& c) noexcept;

// Encodes the context's rmContext at `to`, which must have space for context_extent() bytes. The
// order is the fields, the memory references, the registers, and the contents of memory.
void encode_context(const context_values& c, std::byte* to) noexcept;

// Register to write in a context map.
struct context_register {
  std::uint16_t id = 0;              // number in the trace's XED version, below 512
  std::string_view name = {};        // up to 15 characters
  std::uint16_t common_name = 0;     // number of the register whose name is the common name
  register_info in32{0xFFFF, 0, 0};  // location in contexts of 32-bit code
  register_info in64{0xFFFF, 0, 0};
};

// Returns the contents of context_map.itable for contexts of `dump_size` bytes. A number that does
// not occur in `registers` has no name and no location in the map. Throws trace_error(refused),
// with the register's number and the field:
// - if a number exceeds 511 or occurs twice
// - if a name is too long
// - if a location is outside the context
// - if a common name or a largest register does not exist
std::vector<std::byte> make_context_map(std::uint16_t dump_size,
                                        std::span<const context_register> registers);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/context_writer.ipp"
#endif
