// Printing of a trace, or of the layout of its records.
#pragma once
#include <string>

#include "options.hpp"

namespace view {

// Prints a record layout. The layout is that of the format named in place of the trace, of the
// trace's format, or of the format option. Without any of these, the layout is that of the first of
// all formats.
void print_layout(const options& o);

// Returns true if an option selects among the tables of a trace.
bool chooses_rows(const tracecodec::format::own_options& given);
// Returns the names of the options that select among tables, such as "--table", for messages.
std::string row_options();

// Prints the view that the options select. If an error occurs, prints the data read before the
// error, then throws.
void view_trace(options o);

}  // namespace view
