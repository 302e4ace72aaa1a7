// The values of an instruction's operands in one of its execution records.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "reader.hpp"

namespace tracecodec::umtracer {

// The slots of a record's instruction and the bytes they point into. Views into the files.
class operand_values {
 public:
  TRACECODEC_INLINE operand_values(const slot_list& slots,
                                   std::span<const std::byte> values) noexcept
      : slots_(slots), values_(values) {}

  // Of slots; three groups: before() is what is read, before it executes; then what is only
  // written, before; after() what is written, after.
  [[nodiscard]] std::size_t size() const noexcept { return slots_.slots.size(); }
  [[nodiscard]] std::size_t first_out() const noexcept { return slots_.first_out; }
  [[nodiscard]] std::size_t first_after() const noexcept { return slots_.first_after; }
  // Slot `i`, which must be below size().
  TRACECODEC_INLINE umtracer::slot slot(std::size_t i) const noexcept { return slots_.slots[i]; }
  // Its value; no bytes if it leaves the values.
  TRACECODEC_INLINE slot_value value(std::size_t i) const noexcept {
    return value_of(slots_.slots[i], values_);
  }
  TRACECODEC_INLINE slot_value value(const umtracer::slot& s) const noexcept {
    return value_of(s, values_);
  }

 private:
  slot_list slots_;
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
