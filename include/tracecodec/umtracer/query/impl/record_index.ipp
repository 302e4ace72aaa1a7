// The functions of umtracer/query/record_index.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "../record_index.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC record_index::record_index(const reader& trace) {
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    const record_view r = trace[id];
    by_thread_[r.thread()].push_back(id);
    by_type_[static_cast<std::size_t>(r.type())].push_back(id);
    if (r.type() == exec_type::instruction)
      by_module_[trace.instructions()[trace.row_of(r)].module_id].push_back(id);
  }
}
TRACECODEC_FUNC std::vector<std::uint64_t> record_index::filtered(
    const record_filter& wanted) const {
  std::optional<std::vector<std::uint64_t>> found;
  if (wanted.thread) narrow(found, list_of(by_thread_, *wanted.thread), wanted);
  if (wanted.module) narrow(found, list_of(by_module_, *wanted.module), wanted);
  if (!found || !wanted.types.all()) narrow(found, of_types(wanted.types), wanted);
  return std::move(*found);
}
TRACECODEC_FUNC record_index::ids record_index::of_types(const exec_types& types) const {
  ids all;
  for (std::size_t t = 0; t < by_type_.size(); ++t)
    if (types.has(static_cast<exec_type>(t)))
      all.insert(all.end(), by_type_[t].begin(), by_type_[t].end());
  std::sort(all.begin(), all.end());
  return all;
}
TRACECODEC_FUNC void record_index::narrow(std::optional<ids>& found, const ids& list,
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
