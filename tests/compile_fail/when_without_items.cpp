// Condition without items.
// expect: needs at least one item
// names: when<&event::more
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  bool more;
  std::uint8_t id;
};
#ifdef FIXED
using rest = wire::when<&event::more, wire::field<&event::id>>;
#else
using rest = wire::when<&event::more>;
#endif
using codec = wire::record<wire::fields<wire::field<&event::more>, rest>>;
static_assert(!codec::fixed);
