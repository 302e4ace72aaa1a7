// The functions of umtracer/reader/explicit_operands.hpp.
#pragma once
#include <string>

#include "../explicit_operands.hpp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC void add_part(const reader& trace, std::size_t row, const decoded_instruction& d,
                              std::span<const std::byte> values, std::uint8_t index,
                              std::uint8_t offset, operand_view& to,
                              std::span<const std::byte>& part) {
  if (index == slot_none) return;
  const std::size_t size = to.what.size;
  const auto outside = [&] {
    trace.files().fail(file::instructions, trace_errc::bad_value,
                       trace.instructions().rows().offset(row), row, "operands",
                       "an explicit operand lies outside slot " + std::to_string(index));
  };
  if (is_constant(index)) {
    if (!room_of(d.slots, index)->holds(offset, size)) outside();
    const std::uint64_t n = d.constants[index - slot_constant0];
    to.constant = size >= 8 ? n : n & ((std::uint64_t{1} << 8 * size) - 1);
    return;
  }
  if (index >= d.slots.size()) outside();
  const slot s = d.slots[index];  // read once: a mapped file may change
  if (!room_in(s).holds(offset, size)) outside();
  if (s.end() > values.size()) outside();
  if (s.is_memory()) to.address = value_of(s, values).address;
  part = values.subspan(s.offset + std::size_t{offset}, size);
}

}  // namespace detail

TRACECODEC_FUNC operand_view explicit_operand_of(const reader& trace, const record_view& r,
                                                 std::size_t i) {
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
