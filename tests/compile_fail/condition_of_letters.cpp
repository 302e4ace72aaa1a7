// Condition that is a text.
// expect: a condition is a bool, or converts to one
// names: quoted<.*("more"|'m', 'o', 'r')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
#ifdef FIXED
  bool more;
#else
  std::array<char, 2> more;
#endif
  std::uint8_t id;
};
using codec = wire::record<
    wire::fields<wire::field<&event::more>, wire::when<&event::more, wire::field<&event::id>>>>;
static_assert(!codec::fixed);
