// Names what a file is that is not a trace, where its name alone says that.
#pragma once
#include <string_view>

#include "../config.hpp"

namespace tracecodec::trace {

// Returns what the file of this name is, of UMTracer's tables, which have no mark of their own; empty for others.
TRACECODEC_FUNC std::string_view named_by_name(std::string_view path);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/no_trace.ipp"
#endif
