// A C array member: Boost.PFR cannot take it.
// expect: structured binding|decomposes into
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct registers {
#ifdef FIXED
  std::array<std::uint8_t, 2> ids;
#else
  std::uint8_t ids[2];
#endif
  std::uint8_t last;
};
static_assert(wire::record<registers>::size == 3);
