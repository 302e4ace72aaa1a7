// Files that are no trace but belong to one: what they are, and what to open instead.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::trace {

// What the file is that begins with `front`, with what to open; empty if it is none of those that
// lie beside traces or are made of them.
std::string_view named_by_content(std::span<const std::byte> front);

// The same of a file by its name alone; of UMTracer's tables, which have no mark of their own.
std::string_view named_by_name(std::string_view path);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/no_trace.ipp"
#endif
