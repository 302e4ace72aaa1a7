// Checks of the names of threads, locks, variables and locations in options.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "../reading.hpp"

namespace examples::rapidbin {

// Throws usage_error for a name that is neither defined in the metadata of a RapidBin trace nor an
// id. Does not check the names for STD text, which are known only after the text was read. Other
// formats define no names.
void require_known_names(const tracecodec::trace::source& in, const reading& as);

}  // namespace examples::rapidbin
