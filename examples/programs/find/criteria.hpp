// Command-line options that set the criteria of a search.
#pragma once
#include "../common/command_line.hpp"

namespace tracecodec::analysis {
struct find_criteria;
}

namespace find {

void add_criteria(examples::command_line& app, tracecodec::analysis::find_criteria& c);

}  // namespace find
