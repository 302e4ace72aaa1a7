// The operands that an instruction is written with, and their values in one of its records.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../../config.hpp"
#include "operands.hpp"

namespace tracecodec::umtracer {

// An explicit operand (7.3.4): a register, or a part of one such as ah, memory, the address that
// lea computes (name_agen), or a constant. Views into the trace's files.
struct operand_view {
  explicit_operand what = {};
  std::span<const std::byte> before = {};      // little-endian; of a constant none
  std::span<const std::byte> after = {};       // none if it is only read
  std::optional<std::uint64_t> address = {};   // of memory
  std::optional<std::uint64_t> constant = {};  // its value, as wide as what.size
};

namespace detail {
// Of slot `index`, `size` bytes from `offset` on.
void add_part(const reader& trace, std::size_t row, const decoded_instruction& d,
              std::span<const std::byte> values, std::uint8_t index, std::uint8_t offset,
              operand_view& to, std::span<const std::byte>& part);
}  // namespace detail

// Operand `i` of record `r`, which is an instruction with more than `i` explicit operands: see
// decoded_instruction::operand_count. Throws trace_error: as operands_of(); refused if there are
// fewer; bad_value if it leaves its slot.
operand_view explicit_operand_of(const reader& trace, const record_view& r, std::size_t i);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/explicit_operands.ipp"
#endif
