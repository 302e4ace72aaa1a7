// Who touches memory: the last access before a record, and the next one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "memory_events.hpp"

namespace tracecodec::umtracer {

// A record that touches memory.
struct memory_access {
  std::uint64_t record = 0;
  std::uint8_t kind = 0;  // one of access_kinds
  bool reliable = true;   // none of exec_flags::unreliable; else the address may be wrong too
  memory_span memory = {};
  friend bool operator==(const memory_access&, const memory_access&) = default;
};

namespace detail {
// The first or the last piece of memory in `r` of one of `kinds` that has a byte of `wanted`.
std::optional<memory_access> access_in(const reader& trace, const record_view& r,
                                       memory_span wanted, std::uint8_t kinds, bool last);
}  // namespace detail

// The last access of one of `kinds` to a byte of `wanted` in the records before `n`, whatever their
// thread; nullopt if there is none. Of several in a record, the one in its last slot. Reads records
// backwards up to there. Throws trace_error as memory_events().
std::optional<memory_access> last_access(const reader& trace, std::uint64_t n, memory_span wanted,
                                         std::uint8_t kinds, const pause& between = {});
// The same of writes alone.
std::optional<memory_access> last_write(const reader& trace, std::uint64_t n, memory_span wanted,
                                        const pause& between = {});

// The first access of one of `kinds` in the records from `n` on. Of several in a record, the one in
// its first slot. Reads records up to there. Throws trace_error as memory_events().
std::optional<memory_access> next_access(const reader& trace, std::uint64_t n, memory_span wanted,
                                         std::uint8_t kinds = access_kinds::read |
                                                              access_kinds::write,
                                         const pause& between = {});

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
                                                const pause& between) {
  detail::pauses records(between);
  for (n = std::min(n, trace.size()); n != 0; records.count_one())
    if (const auto a = detail::access_in(trace, trace[--n], wanted, kinds, true)) return a;
  return std::nullopt;
}

inline std::optional<memory_access> last_write(const reader& trace, std::uint64_t n,
                                               memory_span wanted, const pause& between) {
  return last_access(trace, n, wanted, access_kinds::write, between);
}

inline std::optional<memory_access> next_access(const reader& trace, std::uint64_t n,
                                                memory_span wanted, std::uint8_t kinds,
                                                const pause& between) {
  detail::pauses records(between);
  for (; n < trace.size(); ++n, records.count_one())
    if (const auto a = detail::access_in(trace, trace[n], wanted, kinds, false)) return a;
  return std::nullopt;
}

}  // namespace tracecodec::umtracer
