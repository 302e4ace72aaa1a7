// Set of allowed values without a value.
// expect: needs at least one value
// names: one_of<&event::id
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t id;
};
#ifdef FIXED
using id = wire::one_of<&event::id, 1>;
#else
using id = wire::one_of<&event::id>;
#endif
using codec = wire::record<wire::fields<id>>;
static_assert(codec::size != 1000);
