// Member that is a C array, whose elements cannot be described.
// expect: a member is a C array, which cannot be described: std::array can
// names: a member is a C array|c_array
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct registers {
  std::array<std::uint8_t, 4> code;
#ifdef FIXED
  std::array<std::uint8_t, 2> ids;
#else
  std::uint8_t ids[2];
#endif
  std::uint8_t last;
};
static_assert(wire::record<registers>::size == 7);
