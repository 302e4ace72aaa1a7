// Checks for a file that accompanies a trace.
#pragma once
#include <string>

#include "../config.hpp"

namespace tracecodec::format {

// Returns true if `path` is a file, and false if `path` does not exist. Throws trace_error(system)
// for anything else, because opening a pipe, for example, might block forever. `expected` describes
// the contents for the message, such as "the map of a program".
TRACECODEC_FUNC bool is_file_beside(const std::string& path, const std::string& expected);

}  // namespace tracecodec::format

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/file_beside.ipp"
#endif
