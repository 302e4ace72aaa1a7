// Prints the statements that a tracepack contains about itself.
#pragma once
#include <tracecodec/tracepack/reader.hpp>

#include "../options.hpp"

namespace view {

// Prints the statements. If the file has no valid index, then throws trace_error.
void show_pack(tracecodec::tracepack::reader from, const options& o);

}  // namespace view
