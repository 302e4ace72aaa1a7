// Options of trace_diff, and the comparison of two traces.
#pragma once
#include <tracecodec/analysis/diff.hpp>

#include <cstdint>
#include <string>

#include "../common/output.hpp"
#include "../common/reading.hpp"
#include "expected.hpp"

namespace diff {

struct options {
  std::string a = {}, b = {};
  examples::reading as = {};
  analysis::diff_options how = {.retries = 1000};
  diff::ignored ignored = {};
  diff::moved_regions moved = {};
  // True to compare without relocation if it cannot be found automatically, instead of an error.
  bool relocate_if_possible = false;
  std::string from_symbol = {};
  std::uint64_t most = 10;
  bool as_json = false;
};

// Compares both traces and prints the differences. Returns true if the traces are equal. If an
// error occurs, prints the differences found so far, then throws.
bool compare(const options& o, examples::output& out);

}  // namespace diff
