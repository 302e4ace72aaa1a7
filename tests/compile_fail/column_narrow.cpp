// Column whose elements are narrower than the member and would lose bits.
// expect: the column is narrower than its member
#include <tracecodec/wire/columns/columns.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint16_t location;
  std::uint16_t thread;
};
using codec =
    wire::record<wire::fields<wire::bit_slices<std::uint32_t, wire::bits<&event::location, 16>,
                                               wire::bits<&event::thread, 16>>>>;
#ifdef FIXED
using element = std::uint32_t;
#else
using element = std::uint8_t;
#endif
static_assert(wire::columns<codec, wire::as<&event::thread, element>>::count == 1);
