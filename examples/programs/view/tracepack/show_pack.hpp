// Printing of the statements of a tracepack about itself.
#pragma once
#include <tracecodec/tracepack/reader.hpp>

#include "../options.hpp"

namespace view {

// Prints the statements. Afterwards, throws trace_error if the file has no valid index.
void show_pack(tracecodec::tracepack::reader from, const options& o);

}  // namespace view
