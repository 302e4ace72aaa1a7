// Contexts as records hold them, and the map that says where each register lies in them.
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

// A context to be written: all registers, laid out by the context map, and some memory.
struct context_values {
  std::span<const std::byte> registers = {};
  std::span<const memory_reference> memory = {};
};

// Bytes of its rmContext.
std::size_t context_extent(const context_values& c) noexcept;

// Its rmContext at `to`, which has room for context_extent(): rows, registers, memory.
void encode_context(const context_values& c, std::byte* to) noexcept;

// A register of a context map.
struct context_register {
  std::uint16_t id = 0;              // its number in the trace's XED, below 512
  std::string_view name = {};        // 15 characters at most
  std::uint16_t common_name = 0;     // the register that all that overlap it are named by
  register_info in32{0xFFFF, 0, 0};  // where it lies in contexts of 32-bit code
  register_info in64{0xFFFF, 0, 0};
};

// context_map.itable of contexts of `dump_size` bytes. Other numbers are no registers. Throws
// trace_error(refused), with the register's number and the field: a number of 512 or more, or that
// comes twice; a name that is too long; a place outside the context; a common name or a largest
// register that none has.
std::vector<std::byte> make_context_map(std::uint16_t dump_size,
                                        std::span<const context_register> registers);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/context_writer.ipp"
#endif
