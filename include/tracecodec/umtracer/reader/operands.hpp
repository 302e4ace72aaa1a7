// The values of an instruction's operands in one of its execution records.
#pragma once
#include <cstddef>
#include <span>

#include "../reader.hpp"

namespace tracecodec::umtracer {

// The slots of a record's instruction and the bytes they point into. Views into the files.
class operand_values {
 public:
  // Member by member: copied as a whole, g++ would keep them in memory.
  template <class List>
  TRACECODEC_INLINE operand_values(const List& of, std::span<const std::byte> values) noexcept
      : slots_(of.slots.bytes().data()),
        count_(of.slots.size()),
        first_out_(of.first_out),
        first_after_(of.first_after),
        values_(values) {}

  // Of slots; three groups: from 0 on what is read, before it executes; from first_out() what is
  // only written, before; from first_after() what is written, after.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t first_out() const noexcept { return first_out_; }
  [[nodiscard]] std::size_t first_after() const noexcept { return first_after_; }
  // Slot `i`, which must be below size().
  [[nodiscard]] TRACECODEC_INLINE umtracer::slot slot(std::size_t i) const noexcept {
    return slot_codec::load(slots_ + i * slot_codec::size);
  }
  // Its value; no bytes if it leaves the values.
  [[nodiscard]] TRACECODEC_INLINE slot_value value(const umtracer::slot& s) const noexcept {
    return value_of(s, values_);
  }
  [[nodiscard]] TRACECODEC_INLINE slot_value value(std::size_t i) const noexcept {
    return value(slot(i));
  }

 private:
  const std::byte* slots_;
  std::size_t count_, first_out_, first_after_;
  std::span<const std::byte> values_;
};

// Those of record `r` of `trace`, which is an instruction. Throws trace_error: as
// reader::row_of(), instruction_table::slots(); truncated if the record has fewer bytes.
TRACECODEC_INLINE operand_values operands_of(const reader& trace, const record_view& r) {
  const slot_list slots = trace.instructions().slots(trace.row_of(r));
  const auto values = r.values();
  if (values.size() < slots.values_size) [[unlikely]]
    r.values_end(slots.values_size);
  return {slots, values.first(slots.values_size)};
}

}  // namespace tracecodec::umtracer
