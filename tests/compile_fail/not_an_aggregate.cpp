// Struct with a constructor.
// expect: describe a plain struct, and convert it
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct point {
#ifndef FIXED
  point() {}
#endif
  std::uint8_t x;
};
static_assert(wire::record<point>::size == 1);
