// Opens a trace that a program reads, and looks after the output: it takes the place of no file that
// the trace is read from.
#pragma once
#include <tracecodec/trace/source.hpp>

#include <string>

#include "reading.hpp"

namespace tracecodec::trace {
class input_files;
}

namespace examples {

// Throws usage_error if the output `out`, "-" for standard output, would destroy a part of an input.
void require_other_output(const tracecodec::trace::input_files& in, const std::string& out);

// The trace `path`, "-" for standard input, read by a program that writes `out`. Throws usage_error
// as require_other_output(); trace_error as trace::source.
tracecodec::trace::source open_trace(const std::string& path, const reading& as,
                                     const std::string& out = "-");

}  // namespace examples
