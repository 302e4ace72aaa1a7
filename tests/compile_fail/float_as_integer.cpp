// Floating-point member in an integer field.
// expect: a floating-point field needs a member of its own type
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct point {
#ifdef FIXED
  std::uint32_t x;
#else
  float x;
#endif
};
static_assert(wire::record<wire::fields<wire::field<&point::x, wire::u32le>>>::size == 4);
