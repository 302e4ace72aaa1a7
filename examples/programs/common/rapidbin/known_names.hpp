// Check of the names of threads, locks, variables and locations that options contain.
#pragma once
#include <tracecodec/trace/source.hpp>

#include "../reading.hpp"

namespace examples::rapidbin {

// Throws usage_error for a name that is neither an id nor defined in the metadata of a RapidBin
// trace. Does not check names for STD text, whose names are known only after the whole text was
// read. Other formats do not define names.
void require_known_names(const tracecodec::trace::source& in, const reading& as);

}  // namespace examples::rapidbin
