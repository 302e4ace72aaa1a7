// Member that is narrower than its field, so that decoding would lose bits.
// expect: the member is narrower than its field
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct point {
#ifdef FIXED
  std::uint32_t x;
#else
  std::uint16_t x;
#endif
};
static_assert(wire::record<wire::fields<wire::field<&point::x, wire::u32le>>>::size == 4);
