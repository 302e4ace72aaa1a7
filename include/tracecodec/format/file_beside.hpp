// A file that lies beside a trace and belongs to it.
#pragma once
#include <string>

#include "../config.hpp"

namespace tracecodec::format {

// Returns whether `path` is a file; false if nothing is there. Throws trace_error(system) for anything
// else, which to read could take for ever; `expected` says what should be there: "the map of a program".
TRACECODEC_FUNC bool is_file_beside(const std::string& path, const std::string& expected);

}  // namespace tracecodec::format

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/file_beside.ipp"
#endif
