// Result of the front end, as a table for people and as JSON for programs. Accuracy and MPKI
// cover the first six classes of branches, as in ChampSim.
#pragma once
#include <cmath>
#include <string>
#include <string_view>

#include "counts.hpp"
#include "sizes.hpp"

namespace frontend {

struct result {
  std::string trace = {};
  std::string_view format = {}, predictor = {};
  // True if the format has branches, and thus meaningful addresses of code.
  bool has_branches = true;
  sizes of_tables = {};
  const counts* counted = nullptr;
  double seconds = 0;  // including reading, decompressing and warming up

  std::uint64_t run = 0;  // instructions processed in `seconds`
  // Returns the ratio, or NaN if `whole` is 0.
  [[nodiscard]] static double ratio(double part, std::uint64_t whole) {
    return whole == 0 ? NAN : part / static_cast<double>(whole);
  }
  [[nodiscard]] double for_each_thousand(std::uint64_t n) const {
    return ratio(1000 * static_cast<double>(n), counted->instructions);
  }
  [[nodiscard]] double accuracy() const {
    const branch_counts b = counted->known_branches();
    return 100 * ratio(static_cast<double>(b.count - b.mispredicted), b.count);
  }
  [[nodiscard]] double mpki() const {
    return for_each_thousand(counted->known_branches().mispredicted);
  }
  [[nodiscard]] double millions_a_second() const {
    return seconds > 0 ? static_cast<double>(run) / seconds / 1e6 : 0;
  }
};

// Appends `r` to `s`.
void write_text(std::string& s, const result& r);
void write_json(std::string& s, const result& r);

}  // namespace frontend
