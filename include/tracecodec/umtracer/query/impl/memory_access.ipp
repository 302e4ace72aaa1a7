// The functions of umtracer/query/memory_access.hpp.
#pragma once
#include <algorithm>

#include "../memory_access.hpp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC std::optional<memory_access> access_in(const reader& trace, const record_view& r,
                                                       memory_span wanted, std::uint8_t kinds,
                                                       bool last) {
  std::optional<memory_access> found;
  memory_events(trace, r, [&](const memory_event& e) {
    if ((e.kind & kinds) == 0 || (found && !last)) return;
    if (!wanted.common(e.address, e.bytes.size())) return;
    found = memory_access{r.id(), e.kind, e.reliable, {e.address, e.bytes.size()}};
  });
  return found;
}

}  // namespace detail

TRACECODEC_FUNC std::optional<memory_access> last_access(const reader& trace, std::uint64_t n,
                                                         memory_span wanted, std::uint8_t kinds,
                                                         const pause& between) {
  detail::pauses records(between);
  for (n = std::min(n, trace.size()); n != 0; records.count_one())
    if (const auto a = detail::access_in(trace, trace[--n], wanted, kinds, true)) return a;
  return std::nullopt;
}

TRACECODEC_FUNC std::optional<memory_access> last_write(const reader& trace, std::uint64_t n,
                                                        memory_span wanted, const pause& between) {
  return last_access(trace, n, wanted, access_kinds::write, between);
}

TRACECODEC_FUNC std::optional<memory_access> next_access(const reader& trace, std::uint64_t n,
                                                         memory_span wanted, std::uint8_t kinds,
                                                         const pause& between) {
  detail::pauses records(between);
  for (; n < trace.size(); ++n, records.count_one())
    if (const auto a = detail::access_in(trace, trace[n], wanted, kinds, false)) return a;
  return std::nullopt;
}

}  // namespace tracecodec::umtracer
