// A file that accompanies a trace.
#pragma once
#include <string>

#include "../config.hpp"

namespace tracecodec::format {

// Returns whether `path` is a file; false if nothing is there. Throws trace_error(system) for anything else, such as a
// pipe, which might block for ever. `expected` names the contents for the message: "the map of a program".
TRACECODEC_FUNC bool is_file_beside(const std::string& path, const std::string& expected);

}  // namespace tracecodec::format

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/file_beside.ipp"
#endif
