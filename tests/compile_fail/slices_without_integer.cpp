// Bit slices without the integer that they share.
// expect: the first argument of bit_slices<> is the unsigned integer
// names: bit_slices<
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t kind, id;
};
using first = wire::bits<&event::kind, 4>;
using second = wire::bits<&event::id, 4>;
#ifdef FIXED
using both = wire::bit_slices<std::uint8_t, first, second>;
#else
using both = wire::bit_slices<first, second>;
#endif
static_assert(wire::record<wire::fields<both>>::fixed);
