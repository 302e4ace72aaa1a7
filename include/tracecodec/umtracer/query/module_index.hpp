// Index for finding the module at an address without scanning the module table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../../config.hpp"
#include "../reader/tables.hpp"

namespace tracecodec::umtracer {

// Index that finds the result of module_table::at() in O(log² n), even if modules overlap. The
// index does not refer to the table after construction. It needs O(n log n) memory, or about 60
// bytes for each module if modules do not overlap.
class module_index {
 public:
  explicit module_index(const module_table& modules);

  // Returns the result of module_table::at(address, eid).
  [[nodiscard]] std::optional<std::size_t> at(std::uint64_t address, std::int64_t eid) const;

 private:
  static constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct span_of {
    std::uint64_t first, last;  // addresses
    std::int64_t load, unload;  // record ids
    std::size_t row;
  };
  // Change in a node. From record `from` until the next change, `row` is the first row among the
  // node's loaded modules.
  struct change {
    std::int64_t from;
    std::size_t row;
  };

  // Returns the modules with nonempty ranges of addresses and of records.
  static std::vector<span_of> spans(const module_table& modules);

  // Returns the number of the leaf node for an address, which must not be less than the first
  // bound.
  [[nodiscard]] std::size_t leaf_of(std::uint64_t address) const;

  static std::vector<change> changes_of(const std::vector<const span_of*>& modules);

  std::vector<std::uint64_t> bounds_ = {};  // starts of modules, and addresses after their ends
  std::size_t leaves_ = 1;
  std::vector<std::vector<change>> nodes_ = {};
};

// Builds the index for a trace's modules. Does not throw trace_error.
module_index build_module_index(const module_table& modules);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/module_index.ipp"
#endif
