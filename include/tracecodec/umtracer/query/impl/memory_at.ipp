// The functions of umtracer/query/memory_at.hpp.
#pragma once
#include <limits>
#include <string>
#include <utility>

#include "../memory_at.hpp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC void require_record(const reader& trace, std::uint64_t n) {
  if (n >= trace.size())
    throw trace_error(trace_errc::refused,
                      {.file = trace.files().path(file::exec_records), .record = n},
                      "no such record, there are " + std::to_string(trace.size()));
}

TRACECODEC_FUNC void memory_walk::look_at(std::uint64_t id, moment until) {
  const record_view r = (*trace_)[id];
  earliest_ = id;
  ++records_;
  if (until == moment::after) take(r, moment::after);
  take(r, moment::before);
  done_ = (r.flags() & exec_flags::instrumentation_off) != 0;
}
TRACECODEC_FUNC memory_state memory_walk::result() && {
  return {wanted_.address, std::move(bytes_.bytes()), earliest_, records_};
}
TRACECODEC_FUNC void memory_walk::take(const record_view& r, moment when) {
  memory_events(*trace_, r, [&](const memory_event& e) {
    if (e.when != when) return;
    const auto c = wanted_.common(e.address, e.bytes.size());
    if (!c) return;
    const auto here = static_cast<std::size_t>(c->here), n = static_cast<std::size_t>(c->size);
    if (e.reliable)
      bytes_.tell(here, e.bytes.subspan(static_cast<std::size_t>(c->there), n), r.id());
    else if (when == moment::after)
      bytes_.hide(here, n);
  });
}
TRACECODEC_FUNC void require_memory(const reader& trace, std::uint64_t n, memory_span wanted) {
  require_record(trace, n);
  if (wanted.size != 0 &&
      wanted.size - 1 > std::numeric_limits<std::uint64_t>::max() - wanted.address)
    throw trace_error(trace_errc::refused, {.file = trace.files().folder(), .record = n},
                      "memory beyond the last address");
  if (wanted.size > largest_memory)
    throw trace_error(
        trace_errc::refused, {.file = trace.files().folder(), .record = n},
        std::to_string(wanted.size) + " bytes at once, at most " + std::to_string(largest_memory));
}

}  // namespace detail

TRACECODEC_FUNC memory_state memory_at(const reader& trace, std::uint64_t n, memory_span wanted,
                                       moment when, const pause& between) {
  detail::require_memory(trace, n, wanted);
  detail::memory_walk walk(trace, wanted);
  detail::pauses records(between);
  if (!walk.done()) walk.look_at(n, when);
  for (; !walk.done() && n != 0; records.count_one()) walk.look_at(--n, moment::after);
  return std::move(walk).result();
}

}  // namespace tracecodec::umtracer
