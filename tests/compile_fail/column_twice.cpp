// Two columns of one member.
// expect: a member has more than one column
#include <tracecodec/wire/columns/columns.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint16_t location;
  std::uint16_t thread;
};
using codec = wire::record<event>;
#ifdef FIXED
constexpr auto second = &event::location;
#else
constexpr auto second = &event::thread;
#endif
static_assert(wire::columns<codec, &event::thread, second>::count == 2);
