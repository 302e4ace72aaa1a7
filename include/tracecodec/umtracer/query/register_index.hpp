// An index of the registers, made on request: a question looks at a bounded number of records.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "registers_at.hpp"

namespace tracecodec::umtracer {

// All registers of each thread behind every so many of its records. build_register_index() makes
// one. The trace must outlive it. Memory: 16 bytes for each byte of a context, so often; with the
// default at most 8 bytes for each record.
class register_index {
 public:
  // How many records of a thread a question looks at: 4,096, or twice as many as a context has
  // bytes if that is more.
  static std::uint64_t default_distance(const reader& trace) noexcept;

  // Looks at each record of the trace once. `distance` 0 is taken for 1. Throws trace_error as
  // register_state::get().
  explicit register_index(const reader& trace) : register_index(trace, default_distance(trace)) {}
  register_index(const reader& trace, std::uint64_t distance);

  // As the function of the same name. It holds no longer than the index. get() also throws
  // bad_value if the neighbours pass over a record of the thread that the index knows, which without
  // an index goes unseen.
  [[nodiscard]] register_state registers_at(std::uint64_t n, moment when = moment::before) const;

 private:
  struct thread_registers {
    std::uint64_t records = 0;
    std::vector<detail::known_registers> known = {};  // by record
  };
  const reader* trace_;
  std::map<std::uint32_t, thread_registers> threads_ = {};
};

// With the default distance. Looks at each record of the trace once; throws as the constructor.
inline register_index build_register_index(const reader& trace) { return register_index(trace); }

inline std::uint64_t register_index::default_distance(const reader& trace) noexcept {
  return std::max<std::uint64_t>(4096, 2 * std::uint64_t{trace.registers().dump_size()});
}
inline register_index::register_index(const reader& trace, std::uint64_t distance)
    : trace_(&trace) {
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    thread_registers& t = threads_[trace[id].thread()];
    if (++t.records % std::max<std::uint64_t>(distance, 1) != 0) continue;
    register_state s(trace, id, moment::after, t.known.empty() ? nullptr : &t.known.back());
    const auto all = s.all();
    t.known.push_back({id, {all.begin(), all.end()}});
  }
}
inline register_state register_index::registers_at(std::uint64_t n, moment when) const {
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
