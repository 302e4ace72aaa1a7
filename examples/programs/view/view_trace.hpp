// Shows a trace, or the layout of its records.
#pragma once
#include <string>

#include "options.hpp"

namespace view {

// Prints the layout of records: of the format that is named, of the trace's format, or of the first of all formats.
void print_layout(const options& o);

// Returns whether an option chooses among the tables of a trace.
bool chooses_rows(const tracecodec::format::own_options& given);
// Returns the names of those options, for messages: "--table".
std::string row_options();

// Prints the view that the options choose. What was read before an error is printed before the error is thrown.
void view_trace(options o);

}  // namespace view
