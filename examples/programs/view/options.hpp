// The options of trace_view.
#pragma once
#include <cstdint>
#include <string>

#include "../common/pipeline.hpp"
#include "shown.hpp"

namespace view {

struct options {
  std::string trace = {};
  examples::reading as = {};
  std::uint64_t limit = 10;  // the most rows that are shown
  bool has_limit = false;    // the command line has --limit
  examples::pipeline part = {};
  shown_besides besides = {};
  bool compact = false, statistics = false, as_json = false, layout = false, about = false;
  std::string form = "text";  // of the layout
};

inline form form_of(const options& o) {
  return o.as_json ? form::json : o.compact ? form::compact : form::detail;
}

}  // namespace view
