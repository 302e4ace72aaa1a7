// An index of the records, made on request: it answers filter.hpp's question without reading those
// that are not wanted.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "filter.hpp"

namespace tracecodec::umtracer {

// Which records each thread has, each module, and each type. build_record_index() makes one.
// Memory: 24 bytes for each record.
class record_index {
 public:
  // Reads the whole trace once. Throws trace_error as reader::operator[] and reader::row_of().
  explicit record_index(const reader& trace);

  // The records that filtered() would give, ascending.
  [[nodiscard]] std::vector<std::uint64_t> filtered(const record_filter& wanted) const;

 private:
  using ids = std::vector<std::uint64_t>;

  template <class Map> static const ids& list_of(const Map& all, typename Map::key_type key) {
    static const ids none;
    const auto found = all.find(key);
    return found == all.end() ? none : found->second;
  }
  [[nodiscard]] ids of_types(const exec_types& types) const;
  // Leaves of `found` what is in `list` too; all of that at first.
  static void narrow(std::optional<ids>& found, const ids& list, const record_filter& wanted);

  std::map<std::uint32_t, ids> by_thread_ = {};
  std::map<std::int32_t, ids> by_module_ = {};
  std::array<ids, 256> by_type_ = {};
};

// Throws as record_index's constructor.
inline record_index build_record_index(const reader& trace) { return record_index(trace); }

inline record_index::record_index(const reader& trace) {
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    const record_view r = trace[id];
    by_thread_[r.thread()].push_back(id);
    by_type_[static_cast<std::size_t>(r.type())].push_back(id);
    if (r.type() == exec_type::instruction)
      by_module_[trace.instructions()[trace.row_of(r)].module_id].push_back(id);
  }
}
inline std::vector<std::uint64_t> record_index::filtered(const record_filter& wanted) const {
  std::optional<std::vector<std::uint64_t>> found;
  if (wanted.thread) narrow(found, list_of(by_thread_, *wanted.thread), wanted);
  if (wanted.module) narrow(found, list_of(by_module_, *wanted.module), wanted);
  if (!found || !wanted.types.all()) narrow(found, of_types(wanted.types), wanted);
  return std::move(*found);
}
inline record_index::ids record_index::of_types(const exec_types& types) const {
  ids all;
  for (std::size_t t = 0; t < by_type_.size(); ++t)
    if (types.has(static_cast<exec_type>(t)))
      all.insert(all.end(), by_type_[t].begin(), by_type_[t].end());
  std::sort(all.begin(), all.end());
  return all;
}
inline void record_index::narrow(std::optional<ids>& found, const ids& list,
                                 const record_filter& wanted) {
  const auto from = std::lower_bound(list.begin(), list.end(), wanted.from);
  const auto to = std::max(from, std::lower_bound(list.begin(), list.end(), wanted.to));
  if (!found) {
    found.emplace(from, to);
    return;
  }
  ids both;
  std::set_intersection(from, to, found->begin(), found->end(), std::back_inserter(both));
  *found = std::move(both);
}

}  // namespace tracecodec::umtracer
