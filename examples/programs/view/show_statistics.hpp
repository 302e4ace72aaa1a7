// The statistics of a trace, whatever its format is.
#pragma once
#include "options.hpp"

namespace view {

// `events`: it is of RapidBin's events. What was counted before an error is printed before the error is
// thrown.
void show_statistics(tracecodec::trace::reader& trace, bool events, const options& o);

}  // namespace view
