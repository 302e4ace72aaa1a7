// Field that is true or false, in a member that is an integer.
// expect: make the member a bool
// names: quoted<.*("id"|'i', 'd')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint16_t id;
};
#ifdef FIXED
using id = wire::field<&event::id>;
#else
using id = wire::field<&event::id, wire::nonzero<std::uint8_t>>;
#endif
using codec = wire::record<wire::fields<id>>;
static_assert(codec::size != 1000);
