// Checks of format-specific options against an opened trace.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "reading.hpp"

namespace examples {

// Throws usage_error if an option contains a name that the trace does not define. `in` must
// still be at its first byte.
void require_known_names(const tracecodec::trace::source& in, const reading& as);

}  // namespace examples
