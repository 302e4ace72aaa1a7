// Explicit operands of an instruction, and their values in an execution record.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "operands.hpp"

namespace tracecodec::umtracer {

// Explicit operand (UMTracer specification, 7.3.4). An operand is a register or a part of a
// register (such as ah), memory, the address that lea computes (name_agen), or a constant. The
// spans are views into the trace's files.
struct operand_view {
  explicit_operand what = {};
  std::span<const std::byte> before = {};      // little-endian; empty for a constant
  std::span<const std::byte> after = {};       // empty if the operand is read-only
  std::optional<std::uint64_t> address = {};   // address of a memory operand
  std::optional<std::uint64_t> constant = {};  // value of a constant, truncated to what.size bytes
};

namespace detail {
// Sets `part` to the operand's bytes at `offset` of slot `index`, and sets `to.address` or
// `to.constant` if the slot is memory or a constant.
void add_part(const reader& trace, std::size_t row, const decoded_instruction& d,
              std::span<const std::byte> values, std::uint8_t index, std::uint8_t offset,
              operand_view& to, std::span<const std::byte>& part);
}  // namespace detail

// Returns explicit operand `i` of record `r`, which must be an instruction. Throws the errors of
// operands_of(), and also:
// - trace_error(refused) if `i` is not less than decoded_instruction::operand_count
// - trace_error(bad_value) if the operand is outside its slot
operand_view explicit_operand_of(const reader& trace, const record_view& r, std::size_t i);

namespace detail {
inline void add_part(const reader& trace, std::size_t row, const decoded_instruction& d,
                     std::span<const std::byte> values, std::uint8_t index, std::uint8_t offset,
                     operand_view& to, std::span<const std::byte>& part) {
  if (index == slot_none) return;
  const std::size_t size = to.what.size;
  const auto outside = [&] {
    trace.files().fail(file::instructions, trace_errc::bad_value,
                       trace.instructions().rows().offset(row), row, "operands",
                       "an explicit operand lies outside slot " + std::to_string(index));
  };
  if (is_constant(index)) {
    if (!bounds_of(d.slots, index)->holds(offset, size)) outside();
    const std::uint64_t n = d.constants[index - slot_constant0];
    to.constant = size >= 8 ? n : n & ((std::uint64_t{1} << 8 * size) - 1);
    return;
  }
  if (index >= d.slots.size()) outside();
  // Read the slot only once, because a mapped file may change.
  const slot s = d.slots[index];
  if (!bounds_in(s).holds(offset, size)) outside();
  if (s.end() > values.size()) outside();
  if (s.is_memory()) to.address = value_of(s, values).address;
  part = values.subspan(s.offset + std::size_t{offset}, size);
}

}  // namespace detail

inline operand_view explicit_operand_of(const reader& trace, const record_view& r, std::size_t i) {
  const std::size_t row = trace.row_of(r);
  const decoded_instruction d = trace.instructions().decoded(row);
  if (i >= d.operand_count || i >= d.operands.size())
    r.fail(trace_errc::refused, exec_record_codec::size, "operands",
           "its instruction has " + std::to_string(d.operand_count) + " explicit operands");
  const auto values = r.values();
  if (values.size() < d.values_size) r.values_end(d.values_size);
  const auto counted = values.first(d.values_size);
  operand_view v{.what = d.operands[i]};
  for (const slot& s : d.slots)
    if (s.end() > d.values_size) r.values_end(s.end());
  detail::add_part(trace, row, d, counted, v.what.before_slot, v.what.before_offset, v, v.before);
  detail::add_part(trace, row, d, counted, v.what.after_slot, v.what.after_offset, v, v.after);
  return v;
}

}  // namespace tracecodec::umtracer
