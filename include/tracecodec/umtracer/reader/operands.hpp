// Values of an instruction's operands in an execution record.
#pragma once
#include <cstddef>
#include <span>

#include "../reader.hpp"

namespace tracecodec::umtracer {

// Slots of a record's instruction, and the values of the slots, as views into the files.
class operand_values {
 public:
  // Copies the members of `of` one by one, because g++ would keep a copy of the whole list in
  // memory instead of in registers.
  template <class List>
  TRACECODEC_INLINE operand_values(const List& of, std::span<const std::byte> values) noexcept
      : slots_(of.slots.bytes().data()),
        count_(of.slots.size()),
        first_out_(of.first_out),
        first_after_(of.first_after),
        values_(values) {}

  // Functions that return the number of slots, and the first slots of the second and third groups.
  // The slots form three groups. Slots starting at 0 contain the values of read operands before
  // execution. Slots from first_out() on contain the values of write-only operands before
  // execution. Slots from first_after() on contain the values of written operands after execution.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t first_out() const noexcept { return first_out_; }
  [[nodiscard]] std::size_t first_after() const noexcept { return first_after_; }
  // Returns slot `i`, which must be less than size().
  [[nodiscard]] TRACECODEC_INLINE umtracer::slot slot(std::size_t i) const noexcept {
    return slot_codec::load(slots_ + i * slot_codec::size);
  }
  // Returns the value of a slot. The value has no bytes if the slot is outside the record's values.
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

// Returns the operand values of record `r` of `trace`. The record must be an instruction. Throws
// the errors of reader::row_of() and instruction_table::slots(), and trace_error(truncated) if the
// record has too few bytes.
TRACECODEC_INLINE operand_values operands_of(const reader& trace, const record_view& r) {
  const slot_list slots = trace.instructions().slots(trace.row_of(r));
  const auto values = r.values();
  if (values.size() < slots.values_size) [[unlikely]]
    r.values_end(slots.values_size);
  return {slots, values.first(slots.values_size)};
}

}  // namespace tracecodec::umtracer
