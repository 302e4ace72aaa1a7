// The tables of an UMTracer trace as trace_view shows them.
#pragma once
#include <string>

#include "../options.hpp"

namespace view {

// Prints the rows of the table that the options choose. What was read before an error is printed before the error is
// thrown. Throws usage_error for options that the table does not have; trace_error as umtracer::reader.
void show_table(const std::string& folder, const options& o);

}  // namespace view
