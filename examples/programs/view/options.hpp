// What trace_view shows of a trace, as its command line says it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "../common/pipeline.hpp"
#include "shown.hpp"

namespace view {

struct options {
  std::string trace = {};
  examples::reading as = {};
  std::uint64_t limit = 10;  // of what is shown
  examples::pipeline part = {};
  std::optional<std::string> table = {};
  shown_besides besides = {};
  bool compact = false, statistics = false, as_json = false, layout = false, about = false;
  std::string form = "text";  // of the layout
};

inline form form_of(const options& o) {
  return o.as_json ? form::json : o.compact ? form::compact : form::detail;
}

}  // namespace view
