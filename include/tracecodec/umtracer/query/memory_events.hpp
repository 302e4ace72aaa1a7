// Enumerates the memory in a record, which is in the operands of the record's instruction or in the
// record's context.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "../reader.hpp"
#include "../reader/known_bytes.hpp"

namespace tracecodec::umtracer {

// Callback that long queries call every 65,536 records. An exception from the callback cancels the
// query.
using poll_hook = std::function<void()>;

namespace detail {
// Counter of records that calls a callback every 65,536 records.
class poll_counter {
 public:
  explicit poll_counter(const poll_hook& f) : f_(f) {}
  TRACECODEC_INLINE void count_one() {
    if (++n_ % 65536 == 0 && f_) f_();
  }

 private:
  const poll_hook& f_;
  std::uint64_t n_ = 0;
};
}  // namespace detail

// Ways in which a record accesses memory. An operand that is both read and written causes several
// events.
namespace access_kinds {
inline constexpr std::uint8_t read = 1;   // an input operand
inline constexpr std::uint8_t write = 2;  // an output operand
// The record contains the value, but the instruction does not access the memory. Examples are a
// value before it is overwritten, a value in a context, and a result of an instruction that was not
// executed (exec_flags::not_executed).
inline constexpr std::uint8_t shown = 4;
inline constexpr std::uint8_t any = 7;
}  // namespace access_kinds

// Piece of memory in a record. The event is valid as long as the reader exists.
struct memory_event {
  std::uint8_t kind;  // one of access_kinds
  moment when;        // moment at which memory contains `bytes`
  bool reliable;      // true if no flag of exec_flags::unreliable is set
  std::uint64_t address;
  std::span<const std::byte> bytes;  // view into the trace's file
};

namespace detail {
// Throws trace_error(truncated) for an instruction record `r` that ends before slot `i`.
[[noreturn]] void ends_before_slot(const record_view& r, std::size_t i);

template <class F, class Decoded = decoded_instruction>
void instruction_memory(const reader& trace, const record_view& r, F& f) {
  const std::size_t row = trace.row_of(r);
  // Skip a prefetch, because its recorded values are meaningless (specification, 7.3.3).
  if (trace.instructions()[row].type == instruction_type::prefetch) return;
  const Decoded d = trace.instructions().decoded(row);
  const bool reliable = (r.flags() & exec_flags::unreliable) == 0;
  const bool executed = (r.flags() & exec_flags::not_executed) == 0;
  for (std::size_t i = 0; i < d.slots.size(); ++i) {
    const slot s = d.slots[i];
    if (!s.is_memory()) continue;
    const slot_value v = value_of(s, r.values());
    if (!v.has_address) ends_before_slot(r, i);
    const bool after = i >= d.first_after_slot;
    const std::uint8_t kind = after && executed      ? access_kinds::write
                              : i < d.first_out_slot ? access_kinds::read
                                                     : access_kinds::shown;
    f(memory_event{kind, after ? moment::after : moment::before, reliable, v.address, v.bytes});
  }
}
}  // namespace detail

// Calls f(memory_event) for each piece of memory in a record. Operands of an instruction are in
// slot order, inputs first and results last. A context has one event for each memory reference.
// Throws the errors of row_of(), decoded() and context(), and trace_error(truncated) if the record
// is too short for a slot.
template <class F> void memory_events(const reader& trace, const record_view& r, F f) {
  if (r.type() == exec_type::instruction) return detail::instruction_memory(trace, r, f);
  if (!r.has_context()) return;
  const context_view c = r.context();
  const moment when = r.type() == exec_type::syscall_entry ? moment::before : moment::after;
  const bool reliable = (r.flags() & exec_flags::unreliable) == 0;
  for (std::size_t i = 0; i < c.memory_count(); ++i) {
    const memory_reference m = c.memory(i);
    f(memory_event{access_kinds::shown, when, reliable, m.address, m.bytes});
  }
}

// Range of memory. A range that exceeds the address space ends at the last address.
struct memory_span {
  std::uint64_t address;
  std::uint64_t size;

  // Overlap of this range with another range. The members are the overlap's offset in this range,
  // its offset in the other range, and its size.
  struct overlap {
    std::uint64_t here, there, size;
  };
  // Returns the overlap with the `n` bytes at address `at`, or nullopt if the ranges do not
  // overlap.
  [[nodiscard]] constexpr std::optional<overlap> common(std::uint64_t at,
                                                        std::uint64_t n) const noexcept {
    const std::uint64_t here = at >= address ? at - address : 0;
    const std::uint64_t there = at >= address ? 0 : address - at;
    if (here >= size || there >= n) return std::nullopt;
    return overlap{here, there, std::min(size - here, n - there)};
  }
  friend constexpr bool operator==(const memory_span&, const memory_span&) = default;
};

namespace detail {
inline void ends_before_slot(const record_view& r, std::size_t i) {
  r.fail(trace_errc::truncated, front_with<&execution::values>, "values",
         "the record ends before slot " + std::to_string(i) + " of its instruction");
}
}  // namespace detail

}  // namespace tracecodec::umtracer
