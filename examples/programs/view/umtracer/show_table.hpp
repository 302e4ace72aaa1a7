// Prints the tables of a UMTracer trace for trace_view.
#pragma once
#include <string>

#include "../options.hpp"

namespace view {

// Prints the rows of the table that the options select. Prints the rows read before an error,
// then throws the error. Throws usage_error for options that the table does not support, and
// any trace_error of umtracer::reader.
void show_table(const std::string& folder, const options& o);

}  // namespace view
