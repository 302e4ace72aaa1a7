// Comparison of records that are not instructions. Only some formats have such records.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "../common/output.hpp"
#include "report.hpp"

namespace diff {

// Base class for comparisons of two traces of one format (format_comparison::compare_rest).
class own_comparison {
 public:
  own_comparison() = default;
  own_comparison(const own_comparison&) = delete;
  own_comparison& operator=(const own_comparison&) = delete;
  virtual ~own_comparison() = default;

  // Compares the records of thread `x` of the first trace with the records of thread `y` of the
  // second trace, and prints the differences. `x` or `y` is nullopt if that trace has no
  // corresponding thread. Throws trace_error like the reader.
  virtual void compare(examples::output& out, std::optional<std::uint32_t> x,
                       std::optional<std::uint32_t> y) = 0;
  // Returns the number of differences of each kind found so far.
  [[nodiscard]] virtual std::vector<own_count> counts() const = 0;
  // Prints the number of differences that were not printed.
  virtual void finish(examples::output& out) const = 0;
};

}  // namespace diff
