// Prints the tables of a UMTracer trace, for trace_view.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "../options.hpp"

namespace view {

// Prints the rows of the table that the options select. If an error occurs, prints the rows read so
// far, then throws. Throws usage_error for options that the table does not support, and any
// trace_error of umtracer::reader.
void show_table(tracecodec::trace::source from, const options& o);

}  // namespace view
