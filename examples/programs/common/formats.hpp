// Checks of format-specific options that require an opened trace.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "reading.hpp"

namespace examples {

// Throws usage_error if an option contains a name that the trace does not define. Call this
// function before reading from `in`.
void require_known_names(const tracecodec::trace::source& in, const reading& as);

}  // namespace examples
