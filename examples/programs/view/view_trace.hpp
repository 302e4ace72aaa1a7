// Shows what trace_view was asked for.
#pragma once
#include "options.hpp"

namespace view {

// The layout of records: of the format that is named, or else of the trace's, or else the standard one.
void print_layout(const options& o);

// What was read before an error is printed before the error is thrown.
void view_trace(options o);

}  // namespace view
