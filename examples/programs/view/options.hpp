// Options of trace_view.
#pragma once
#include <cstdint>
#include <string>

#include "../common/pipeline.hpp"
#include "shown.hpp"

namespace view {

struct options {
  std::string trace = {};
  examples::reading as = {};
  std::uint64_t limit = 10;  // maximum number of rows to print
  bool has_limit = false;    // true if the command line has --limit
  examples::pipeline part = {};
  shown_besides besides = {};
  bool compact = false, statistics = false, as_json = false, layout = false, about = false;
  std::string form = "text";  // name of a layout form, one of layout_forms()
};

inline form form_of(const options& o) {
  return o.as_json ? form::json : o.compact ? form::compact : form::detail;
}

}  // namespace view
