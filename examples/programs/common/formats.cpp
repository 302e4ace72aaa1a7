// List of the formats with options that refer to names within a trace.
#include "formats.hpp"

#include "rapidbin/known_names.hpp"

namespace examples {

void require_known_names(const tracecodec::trace::source& in, const reading& as) {
  rapidbin::require_known_names(in, as);
}

}  // namespace examples
