// Prints a trace or the layout of its records.
#pragma once
#include <string>

#include "options.hpp"

namespace view {

// Prints the layout of records. The layout comes from the trace, or from the format whose name
// replaces the trace on the command line. Without either, the layout comes from the format option.
// By default, prints the layout of the first format.
void print_layout(const options& o);

// Returns true if an option in `given` selects one of the tables in a trace.
bool chooses_rows(const tracecodec::format::own_options& given);
// Returns the names of the options that select tables, such as "--table", for use in messages.
std::string row_options();

// Prints the view that the options select. If an error occurs, prints the data read so far, then
// throws.
void view_trace(options o);

}  // namespace view
