// List of the formats whose options may contain names that only the trace defines.
#include "formats.hpp"

#include "rapidbin/known_names.hpp"

namespace examples {

void require_known_names(const tracecodec::trace::source& in, const reading& as) {
  rapidbin::require_known_names(in, as);
}

}  // namespace examples
