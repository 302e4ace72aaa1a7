// An index of the modules, made on request: which one has an address, without looking at each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../../config.hpp"
#include "../reader/tables.hpp"

namespace tracecodec::umtracer {

// Answers module_table::at() in O(log² n), whatever modules overlap. Holds no view of the table.
// Memory: O(n log n); 60 bytes for each of some modules that lie side by side.
class module_index {
 public:
  explicit module_index(const module_table& modules);

  // As module_table::at().
  [[nodiscard]] std::optional<std::size_t> at(std::uint64_t address, std::int64_t eid) const;

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
  static std::vector<span_of> spans(const module_table& modules);

  // The leaf of an address, which is not below the first bound.
  [[nodiscard]] std::size_t leaf_of(std::uint64_t address) const;

  static std::vector<change> changes_of(const std::vector<const span_of*>& modules);

  std::vector<std::uint64_t> bounds_ = {};  // where a module begins, or lies before
  std::size_t leaves_ = 1;
  std::vector<std::vector<change>> nodes_ = {};
};

// Of a trace's modules. Does not throw trace_error.
module_index build_module_index(const module_table& modules);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/module_index.ipp"
#endif
