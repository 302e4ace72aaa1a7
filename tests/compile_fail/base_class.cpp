// Struct with a base class.
// expect: has no base class
// names: base_class
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct place {
  std::uint8_t x;
};
#ifdef FIXED
struct event {
  place at;
  std::uint8_t kind;
};
#else
struct event : place {
  std::uint8_t kind;
};
#endif
static_assert(wire::record<event>::fixed);
