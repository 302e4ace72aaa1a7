// Statistics of a trace of any format.
#pragma once
#include <tracecodec/trace/reader.hpp>

#include "options.hpp"

namespace view {

// Prints the statistics. If an error occurs, prints the counts so far, then throws.
void show_statistics(tracecodec::trace::reader& trace, const options& o);

}  // namespace view
