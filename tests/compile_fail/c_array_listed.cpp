// Field that is a C array.
// expect: a member is a C array
// names: c_array
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
#ifdef FIXED
  std::array<std::uint8_t, 4> ids;
#else
  std::uint8_t ids[4];
#endif
  std::uint8_t kind;
};
static_assert(
    wire::record<wire::fields<wire::field<&event::ids>, wire::field<&event::kind>>>::fixed);
