// Statistics of a trace of any format.
#pragma once
#include <tracecodec/trace/reader.hpp>

#include "options.hpp"

namespace view {

// Prints the statistics. Prints the counts reached before an error, then throws the error.
void show_statistics(tracecodec::trace::reader& trace, const options& o);

}  // namespace view
