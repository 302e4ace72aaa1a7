// Names what a file is that is not a trace, and what to do with it.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "../config.hpp"
#include "known_file.hpp"

namespace tracecodec::trace {

// Returns what the file is that begins with `front`: what lies beside traces or is made of them,
// traces of formats that are not read, archives, programs, documents and others.
known_file named_by_content(std::span<const std::byte> front);

// Returns the same by a file's name alone; of UMTracer's tables, which have no mark of their own.
std::string_view named_by_name(std::string_view path);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/no_trace.ipp"
#endif
