// Shows a trace, or the layout of its records.
#pragma once
#include <string>

#include "options.hpp"

namespace view {

// Prints a record layout: of the format named in place of the trace, of the trace's format, or
// of the format option. Without any of these, uses the first of all formats.
void print_layout(const options& o);

// True if an option selects among the tables of a trace.
bool chooses_rows(const tracecodec::format::own_options& given);
// Returns the names of the options that select among tables, for messages: "--table".
std::string row_options();

// Prints the view that the options select. Prints whatever was read before an error, then
// throws the error.
void view_trace(options o);

}  // namespace view
