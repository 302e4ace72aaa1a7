// Bits that are not in bit_slices<>.
// expect: bits<> belong into bit_slices<>
// names: this_is_not_an_item_of_a_description|bits<&event::kind
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t kind, id;
};
#ifdef FIXED
using kind = wire::bit_slices<std::uint8_t, wire::bits<&event::kind, 8>>;
#else
using kind = wire::bits<&event::kind, 8>;
#endif
static_assert(wire::record<wire::fields<kind, wire::field<&event::id>>>::fixed);
