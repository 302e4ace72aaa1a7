// Signed member in a bit slice, which would lose its sign.
// expect: a bit slice holds an unsigned integer
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

#ifdef FIXED
using thread_id = std::uint32_t;
#else
using thread_id = std::int32_t;
#endif
struct event {
  std::uint16_t location;
  thread_id thread;
};
using codec =
    wire::record<wire::fields<wire::bit_slices<std::uint32_t, wire::bits<&event::location, 15>,
                                               wire::bits<&event::thread, 17>>>>;
static_assert(codec::size != 0);
