// The tables of an UMTracer trace as trace_view shows them.
#pragma once
#include <string>

#include "options.hpp"

namespace view {

// The table that is asked for; what was read before an error is printed before the error is. Throws
// usage_error for what it does not have, trace_error as umtracer::reader.
void show_table(const std::string& folder, const options& o);

}  // namespace view
