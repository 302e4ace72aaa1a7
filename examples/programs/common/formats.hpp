// What the programs check of the options that only some formats have, before they read a trace.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "reading.hpp"

namespace examples {

// Throws usage_error for names in the options that the trace, which is at its first byte, does not know.
void require_known_names(const tracecodec::trace::source& in, const reading& as);

}  // namespace examples
