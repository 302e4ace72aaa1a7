// Implementation of umtracer/query/module_index.hpp.
#pragma once
#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "../module_index.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC module_index::module_index(const module_table& modules) {
  std::vector<span_of> all = spans(modules);
  for (const span_of& s : all) {
    bounds_.push_back(s.first);
    if (s.last != highest) bounds_.push_back(s.last + 1);
  }
  std::sort(bounds_.begin(), bounds_.end());
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
  leaves_ = std::bit_ceil(bounds_.size() + 1);
  // nodes_ is a segment tree. Node 1 is the root, and the children of node n are nodes 2n and 2n +
  // 1. The leaves are the intervals between two bounds. Each module is stored in the fewest nodes
  // that together cover its addresses.
  std::vector<std::vector<const span_of*>> rows(2 * leaves_);
  for (const span_of& s : all) {
    std::size_t from = leaf_of(s.first), to = leaf_of(s.last) + 1;
    for (; from < to; from /= 2, to /= 2) {
      if (from % 2 != 0) rows[from++].push_back(&s);
      if (to % 2 != 0) rows[--to].push_back(&s);
    }
  }
  nodes_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) nodes_[i] = changes_of(rows[i]);
}
TRACECODEC_FUNC std::optional<std::size_t> module_index::at(std::uint64_t address,
                                                            std::int64_t eid) const {
  if (bounds_.empty() || address < bounds_.front()) return std::nullopt;
  std::size_t row = none;
  for (std::size_t i = leaf_of(address); i != 0; i /= 2) {
    const auto& node = nodes_[i];
    const auto next =
        std::partition_point(node.begin(), node.end(), [eid](change c) { return c.from <= eid; });
    if (next != node.begin()) row = std::min(row, (next - 1)->row);
  }
  return row == none ? std::nullopt : std::optional(row);
}
TRACECODEC_FUNC std::vector<module_index::span_of> module_index::spans(
    const module_table& modules) {
  std::vector<span_of> all;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const module_record m = modules[i];
    const std::int64_t unload =
        m.unload_eid == no_eid ? std::numeric_limits<std::int64_t>::max() : m.unload_eid;
    if (m.start_address <= m.end_address && m.load_eid < unload)
      all.push_back({m.start_address, m.end_address, m.load_eid, unload, i});
  }
  return all;
}
TRACECODEC_FUNC std::size_t module_index::leaf_of(std::uint64_t address) const {
  const auto next = std::upper_bound(bounds_.begin(), bounds_.end(), address);
  return leaves_ + static_cast<std::size_t>(next - bounds_.begin()) - 1;
}
TRACECODEC_FUNC std::vector<module_index::change> module_index::changes_of(
    const std::vector<const span_of*>& modules) {
  // The elements are a record id, a flag that is true for a load, and a row number.
  std::vector<std::tuple<std::int64_t, bool, std::size_t>> events;
  for (const span_of* s : modules) {
    events.emplace_back(s->load, true, s->row);
    events.emplace_back(s->unload, false, s->row);
  }
  std::sort(events.begin(), events.end());
  std::vector<change> changes;
  std::set<std::size_t> there;
  for (const auto& [eid, load, row] : events) {
    if (load)
      there.insert(row);
    else
      there.erase(row);
    const std::size_t first = there.empty() ? none : *there.begin();
    if (!changes.empty() && changes.back().from == eid)
      changes.back().row = first;
    else if (changes.empty() || changes.back().row != first)
      changes.push_back({eid, first});
  }
  return changes;
}
TRACECODEC_FUNC module_index build_module_index(const module_table& modules) {
  return module_index(modules);
}

}  // namespace tracecodec::umtracer
