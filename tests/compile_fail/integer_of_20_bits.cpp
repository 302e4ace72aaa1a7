// Integer of a number of bits that is not a multiple of 8.
// expect: needs a multiple of 8
// names: quoted<.*("id"|'i', 'd')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint32_t id;
};
#ifdef FIXED
using id = wire::integer<&event::id, 24>;
#else
using id = wire::integer<&event::id, 20>;
#endif
using codec = wire::record<wire::fields<id>>;
static_assert(codec::size != 1000);
