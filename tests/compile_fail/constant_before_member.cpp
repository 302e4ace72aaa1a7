// Constant whose arguments are swapped.
// expect: the first argument of an item is a pointer to a member
// names: this_is_not_a_member|pointer to a member
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint32_t id;
};
#ifdef FIXED
using id = wire::constant<&event::id, 7>;
#else
using id = wire::constant<7, &event::id>;
#endif
using codec = wire::record<wire::fields<id>>;
static_assert(codec::size != 1000);
