// Field that is a member function.
// expect: a function has no bytes
// names: this_field_is_a_function|a function has no bytes
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint32_t id;
  constexpr std::uint32_t twice() const { return 2 * id; }
};
#ifdef FIXED
using id = wire::field<&event::id>;
#else
using id = wire::field<&event::twice>;
#endif
using codec = wire::record<wire::fields<id>>;
static_assert(codec::size != 1000);
