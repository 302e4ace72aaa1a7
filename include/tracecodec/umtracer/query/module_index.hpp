// An index of the modules, made on request: which one has an address, without looking at each.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "../reader/tables.hpp"

namespace tracecodec::umtracer {

// Answers module_table::at() in O(log² n), whatever modules overlap. Holds no view of the table.
// Memory: O(n log n); 60 bytes for each of some modules that lie side by side.
class module_index {
 public:
  explicit module_index(const module_table& modules) {
    std::vector<span_of> all = spans(modules);
    for (const span_of& s : all) {
      bounds_.push_back(s.first);
      if (s.last != highest) bounds_.push_back(s.last + 1);
    }
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    leaves_ = std::bit_ceil(bounds_.size() + 1);
    // A tree: node 1 is the root, those below n are 2n and 2n + 1, the leaves are what lies between
    // two bounds. Each module is in the fewest nodes that together are its addresses.
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

  // As module_table::at().
  [[nodiscard]] std::optional<std::size_t> at(std::uint64_t address, std::int64_t eid) const {
    if (bounds_.empty() || address < bounds_.front()) return std::nullopt;
    std::size_t row = none;
    for (std::size_t i = leaf_of(address); i != 0; i /= 2) {
      const auto& node = nodes_[i];
      const auto behind =
          std::partition_point(node.begin(), node.end(), [eid](change c) { return c.from <= eid; });
      if (behind != node.begin()) row = std::min(row, (behind - 1)->row);
    }
    return row == none ? std::nullopt : std::optional(row);
  }

 private:
  static constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct span_of {
    std::uint64_t first, last;  // addresses
    std::int64_t load, unload;  // records
    std::size_t row;
  };
  // From record `from` on, the first of a node's modules that are there.
  struct change {
    std::int64_t from;
    std::size_t row;
  };

  // Those that are somewhere at some time.
  static std::vector<span_of> spans(const module_table& modules) {
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

  // The leaf of an address, which is not below the first bound.
  [[nodiscard]] std::size_t leaf_of(std::uint64_t address) const {
    const auto behind = std::upper_bound(bounds_.begin(), bounds_.end(), address);
    return leaves_ + static_cast<std::size_t>(behind - bounds_.begin()) - 1;
  }

  static std::vector<change> changes_of(const std::vector<const span_of*>& modules) {
    std::vector<std::tuple<std::int64_t, bool, std::size_t>> events;  // when, whether a load, row
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

  std::vector<std::uint64_t> bounds_ = {};  // where a module begins, or lies before
  std::size_t leaves_ = 1;
  std::vector<std::vector<change>> nodes_ = {};
};

// Of a trace's modules. Does not throw trace_error.
inline module_index build_module_index(const module_table& modules) {
  return module_index(modules);
}

}  // namespace tracecodec::umtracer
