// Result of the front end, as a table for people and as JSON for programs. As in ChampSim, accuracy
// and MPKI cover the first six branch classes.
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
  // True if the format has branches. Without branches, code addresses are meaningless.
  bool has_branches = true;
  sizes of_tables = {};
  const counts* counted = nullptr;
  // Duration in seconds, including reading, decompression and warm-up.
  double seconds = 0;

  // Number of instructions processed in `seconds`.
  std::uint64_t run = 0;
  // Returns `part` divided by `whole`, or NaN if `whole` is 0.
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

// Appends `r` to `s`, as a table (write_text) or as JSON (write_json).
void write_text(std::string& s, const result& r);
void write_json(std::string& s, const result& r);

}  // namespace frontend
