// Struct with a const member, which decode cannot set.
// expect: no const members and no references
// names: constant_members|no const members
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
#ifdef FIXED
  std::uint8_t kind;
#else
  const std::uint8_t kind;
#endif
};
static_assert(wire::record<event>::fixed);
