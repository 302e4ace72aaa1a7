// Choice without alternatives.
// expect: the alternatives of a choice are on<value
// names: quoted<.*("tag"|'t', 'a', 'g')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t tag;
  std::uint8_t id;
};
#ifdef FIXED
using rest = wire::choice<&event::tag, wire::otherwise<wire::field<&event::id>>>;
#else
using rest = wire::choice<&event::tag>;
#endif
using codec = wire::record<wire::fields<wire::field<&event::tag>, rest>>;
static_assert(!codec::fixed);
