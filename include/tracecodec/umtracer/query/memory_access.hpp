// Finds accesses to memory: the last access before a record, or the first access from a record on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "memory_events.hpp"

namespace tracecodec::umtracer {

// Access to memory by a record.
struct memory_access {
  std::uint64_t record = 0;
  std::uint8_t kind = 0;  // one of access_kinds
  // True if no flag of exec_flags::unreliable is set. If `reliable` is false, even the address may
  // be wrong.
  bool reliable = true;
  memory_span memory = {};
  friend bool operator==(const memory_access&, const memory_access&) = default;
};

namespace detail {
// Returns the first access in `r` of one of `kinds` that overlaps `wanted`. If `last` is true,
// returns the last access instead of the first. Returns nullopt if there is no such access.
std::optional<memory_access> access_in(const reader& trace, const record_view& r,
                                       memory_span wanted, std::uint8_t kinds, bool last);
}  // namespace detail

// Returns the last access by any thread, of one of `kinds`, to a byte of `wanted` in the records
// before `n`. Returns nullopt if there is no such access. If a record has several such accesses,
// returns the access in the record's last slot. Reads records backwards until it finds an access.
// Throws the errors of memory_events().
std::optional<memory_access> last_access(const reader& trace, std::uint64_t n, memory_span wanted,
                                         std::uint8_t kinds, const poll_hook& between = {});
// Returns the last write to a byte of `wanted` in the records before `n`. Works like last_access().
std::optional<memory_access> last_write(const reader& trace, std::uint64_t n, memory_span wanted,
                                        const poll_hook& between = {});

// Returns the first access of one of `kinds` to a byte of `wanted` in record `n` or later.
// Returns nullopt if there is no such access. If a record has several such accesses, returns the
// access in the record's first slot. Reads records forwards until it finds an access. Throws the
// errors of memory_events().
std::optional<memory_access> next_access(const reader& trace, std::uint64_t n, memory_span wanted,
                                         std::uint8_t kinds = access_kinds::read |
                                                              access_kinds::write,
                                         const poll_hook& between = {});

namespace detail {
inline std::optional<memory_access> access_in(const reader& trace, const record_view& r,
                                              memory_span wanted, std::uint8_t kinds, bool last) {
  std::optional<memory_access> found;
  memory_events(trace, r, [&](const memory_event& e) {
    if ((e.kind & kinds) == 0 || (found && !last)) return;
    if (!wanted.common(e.address, e.bytes.size())) return;
    found = memory_access{r.id(), e.kind, e.reliable, {e.address, e.bytes.size()}};
  });
  return found;
}

}  // namespace detail

inline std::optional<memory_access> last_access(const reader& trace, std::uint64_t n,
                                                memory_span wanted, std::uint8_t kinds,
                                                const poll_hook& between) {
  detail::poll_counter records(between);
  for (n = std::min(n, trace.size()); n != 0; records.count_one())
    if (const auto a = detail::access_in(trace, trace[--n], wanted, kinds, true)) return a;
  return std::nullopt;
}

inline std::optional<memory_access> last_write(const reader& trace, std::uint64_t n,
                                               memory_span wanted, const poll_hook& between) {
  return last_access(trace, n, wanted, access_kinds::write, between);
}

inline std::optional<memory_access> next_access(const reader& trace, std::uint64_t n,
                                                memory_span wanted, std::uint8_t kinds,
                                                const poll_hook& between) {
  detail::poll_counter records(between);
  for (; n < trace.size(); ++n, records.count_one())
    if (const auto a = detail::access_in(trace, trace[n], wanted, kinds, false)) return a;
  return std::nullopt;
}

}  // namespace tracecodec::umtracer
