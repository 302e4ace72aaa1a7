// The names of threads, locks, variables and locations that options select.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "../reading.hpp"

namespace examples::rapidbin {

// Throws usage_error for a name that neither the metadata of a RapidBin trace nor the form of an id explains. The names
// in STD text are known only when it has been read; traces of other formats have none.
void require_known_names(const tracecodec::trace::source& in, const reading& as);

}  // namespace examples::rapidbin
