// Alternative of a choice for several values, one of which the tag cannot have.
// expect: does not fit the tag's type
// names: quoted<.*("tag"|'t', 'a', 'g')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t tag;
  std::uint8_t id;
};
#ifdef FIXED
using several = wire::values<2, 3>;
#else
using several = wire::values<2, 300>;
#endif
using codec = wire::record<
    wire::fields<wire::field<&event::tag>,
                 wire::choice<&event::tag, wire::on_any<several, wire::field<&event::id>>>>>;
static_assert(!codec::fixed);
