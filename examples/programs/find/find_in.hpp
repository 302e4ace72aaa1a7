// Options of trace_find, and the search.
#pragma once
#include <tracecodec/analysis/find.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "../common/pipeline.hpp"
#include "../common/reading.hpp"
#include "../view/shown.hpp"
#include "count_by.hpp"

namespace find {

struct options {
  std::string trace = {};
  examples::reading as = {};
  analysis::find_criteria criteria = {};
  examples::pipeline part = {};
  std::optional<std::uint64_t> most = {}, last = {};
  std::optional<field> by = {};
  view::form form = view::form::compact;
  // Name of the function that must contain the instructions; empty for any function.
  std::string symbol = {};
  bool count = false;
};

// Prints the matches and returns their number. If an error occurs, prints the matches found so far,
// then throws.
std::uint64_t find_in(tracecodec::trace::source from, const options& o);

}  // namespace find
