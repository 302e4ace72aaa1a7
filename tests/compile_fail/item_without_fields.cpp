// Item that is not in fields<>.
// expect: put the items of a record into fields<...>
// names: an_item|put the items
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t id;
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::field<&event::id>>>;
#else
using codec = wire::record<wire::field<&event::id>>;
#endif
static_assert(codec::size != 0);
