// Unsigned varint of a signed member.
// expect: leb128 and vlq need a member that is an unsigned integer
// names: quoted<.*("id"|'i', 'd')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::int32_t id;
};
#ifdef FIXED
using id = wire::sleb128<&event::id>;
#else
using id = wire::leb128<&event::id>;
#endif
using codec = wire::record<wire::fields<id>>;
static_assert(codec::size != 1000);
