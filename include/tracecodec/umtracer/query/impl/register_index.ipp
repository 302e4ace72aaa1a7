// The functions of umtracer/query/register_index.hpp.
#pragma once
#include <algorithm>

#include "../register_index.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::uint64_t register_index::default_distance(const reader& trace) noexcept {
  return std::max<std::uint64_t>(4096, 2 * std::uint64_t{trace.registers().dump_size()});
}
TRACECODEC_FUNC register_index::register_index(const reader& trace, std::uint64_t distance)
    : trace_(&trace) {
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    thread_registers& t = threads_[trace[id].thread()];
    if (++t.records % std::max<std::uint64_t>(distance, 1) != 0) continue;
    register_state s(trace, id, moment::after, t.known.empty() ? nullptr : &t.known.back());
    const auto all = s.all();
    t.known.push_back({id, {all.begin(), all.end()}});
  }
}
TRACECODEC_FUNC register_state register_index::registers_at(std::uint64_t n, moment when) const {
  detail::require_record(*trace_, n);
  const detail::known_registers* known = nullptr;
  if (const auto t = threads_.find((*trace_)[n].thread()); t != threads_.end()) {
    const auto behind =
        std::partition_point(t->second.known.begin(), t->second.known.end(),
                             [n](const detail::known_registers& k) { return k.record < n; });
    if (behind != t->second.known.begin()) known = &*(behind - 1);
  }
  return {*trace_, n, when, known};
}

}  // namespace tracecodec::umtracer
