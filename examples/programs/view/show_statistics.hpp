// The statistics of a trace of any format.
#pragma once
#include <tracecodec/trace/reader.hpp>

#include "options.hpp"

namespace view {

// Prints the statistics. What was counted before an error is printed before the error is thrown.
void show_statistics(tracecodec::trace::reader& trace, const options& o);

}  // namespace view
