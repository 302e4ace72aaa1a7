// Determines the contents of memory just before or just after a record. Each byte is either known
// from a record or unknown.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "memory_events.hpp"

namespace tracecodec::umtracer {

// Contents of a memory range at a record. Some bytes may be unknown.
struct memory_state {
  std::uint64_t address = 0;
  std::vector<known_byte> bytes = {};  // all requested bytes, beginning at `address`
  std::uint64_t earliest = 0;          // id of the earliest record read
  std::uint64_t records_read = 0;      // number of records read
};

// Maximum number of bytes that one call to memory_at() returns.
inline constexpr std::uint64_t largest_memory = std::uint64_t{64} << 20;

namespace detail {
// Throws trace_error(refused) if record `n` does not exist.
void require_record(const reader& trace, std::uint64_t n);

// Backward scan over the records. The scan ends when every byte is settled, which means that the
// byte is known or cannot be known.
class memory_walk {
 public:
  memory_walk(const reader& trace, memory_span wanted)
      : trace_(&trace), wanted_(wanted), bytes_(static_cast<std::size_t>(wanted.size)) {}

  [[nodiscard]] bool done() const noexcept { return done_ || bytes_.open() == 0; }

  // Applies the values of record `id` before execution and, if `until` is moment::after, also the
  // values after execution. Ends the scan if the thread was not instrumented before the record
  // (exec_flags::instrumentation_off).
  void look_at(std::uint64_t id, moment until);

  memory_state result() &&;

 private:
  void take(const record_view& r, moment when);

  const reader* trace_;
  memory_span wanted_;
  settled_bytes bytes_;
  std::uint64_t earliest_ = 0, records_ = 0;
  bool done_ = false;
};

void require_memory(const reader& trace, std::uint64_t n, memory_span wanted);
}  // namespace detail

// Returns the memory just before or just after record `n`, reconstructed from the record and the
// preceding records of all threads. Records contain the memory that instructions read and write,
// and memory in contexts. Later records take precedence over earlier records. After an unreliable
// record, the memory that it writes is unknown. Records before the latest record with
// exec_flags::instrumentation_off are ignored. A trace does not contain writes by the kernel, by
// other processes or by instructions that were not traced.
//
// Reads records backwards until every byte is known, or cannot be known. Needs 17 bytes of memory
// for each requested byte. Throws the errors of memory_events(), and trace_error(refused) in these
// cases:
// - record `n` does not exist
// - the range exceeds the address space
// - the range is larger than largest_memory
memory_state memory_at(const reader& trace, std::uint64_t n, memory_span wanted,
                       moment when = moment::before, const poll_hook& between = {});

namespace detail {
inline void require_record(const reader& trace, std::uint64_t n) {
  if (n >= trace.size())
    throw trace_error(trace_errc::refused,
                      {.file = trace.files().path(file::exec_records), .record = n},
                      "no such record: the trace has " + std::to_string(trace.size()));
}

inline void memory_walk::look_at(std::uint64_t id, moment until) {
  const record_view r = (*trace_)[id];
  earliest_ = id;
  ++records_;
  if (until == moment::after) take(r, moment::after);
  take(r, moment::before);
  done_ = (r.flags() & exec_flags::instrumentation_off) != 0;
}
inline memory_state memory_walk::result() && {
  return {wanted_.address, std::move(bytes_.bytes()), earliest_, records_};
}
inline void memory_walk::take(const record_view& r, moment when) {
  memory_events(*trace_, r, [&](const memory_event& e) {
    if (e.when != when) return;
    const auto c = wanted_.common(e.address, e.bytes.size());
    if (!c) return;
    const auto here = static_cast<std::size_t>(c->here), n = static_cast<std::size_t>(c->size);
    if (e.reliable)
      bytes_.set(here, e.bytes.subspan(static_cast<std::size_t>(c->there), n), r.id());
    else if (when == moment::after)
      bytes_.hide(here, n);
  });
}
inline void require_memory(const reader& trace, std::uint64_t n, memory_span wanted) {
  require_record(trace, n);
  if (wanted.size != 0 &&
      wanted.size - 1 > std::numeric_limits<std::uint64_t>::max() - wanted.address)
    throw trace_error(trace_errc::refused, {.file = trace.files().folder(), .record = n},
                      "memory beyond the last address");
  if (wanted.size > largest_memory)
    throw trace_error(trace_errc::refused, {.file = trace.files().folder(), .record = n},
                      std::to_string(wanted.size) + " bytes at once, but at most " +
                          std::to_string(largest_memory));
}

}  // namespace detail

inline memory_state memory_at(const reader& trace, std::uint64_t n, memory_span wanted, moment when,
                              const poll_hook& between) {
  detail::require_memory(trace, n, wanted);
  detail::memory_walk walk(trace, wanted);
  detail::poll_counter records(between);
  if (!walk.done()) walk.look_at(n, when);
  for (; !walk.done() && n != 0; records.count_one()) walk.look_at(--n, moment::after);
  return std::move(walk).result();
}

}  // namespace tracecodec::umtracer
