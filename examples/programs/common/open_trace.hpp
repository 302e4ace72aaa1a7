// Opens a program's input trace, and checks that the output does not overwrite the trace.
#pragma once
#include <tracecodec/trace/source.hpp>

#include <string>

#include "reading.hpp"

namespace tracecodec::trace {
class input_files;
}

namespace examples {

// Throws usage_error if the output `out` would overwrite one of the input files. "-" is standard
// output.
void require_other_output(const tracecodec::trace::input_files& in, const std::string& out);

// Opens the trace `path` for a program that writes to `out`. "-" is standard input or output.
// Throws usage_error if `out` would overwrite an input file or if an option contains an unknown
// name. Throws trace_error like trace::source.
tracecodec::trace::source open_trace(const std::string& path, const reading& as,
                                     const std::string& out = "-");

}  // namespace examples
