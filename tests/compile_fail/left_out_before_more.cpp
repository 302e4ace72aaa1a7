// Field after a part that may be absent.
// expect: nothing can follow an item that extends to the end
// names: this_member_takes_all_remaining_bytes.*("second"|'s', 'e', 'c', 'o', 'n', 'd')|'s', 'e', 'c', 'o', 'n', 'd'.*nothing can stand
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t first;
  bool more;
  std::uint8_t second, third;
};
#ifdef FIXED
using behind = wire::not_on_wire<&part::third>;
#else
using behind = wire::field<&part::third>;
#endif
using codec =
    wire::record<wire::fields<wire::field<&part::first>,
                              wire::if_left<&part::more, wire::field<&part::second>>, behind>>;
static_assert(!codec::fixed);
