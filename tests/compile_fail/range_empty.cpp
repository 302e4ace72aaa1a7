// Range whose ends are in the wrong order.
// expect: from the least value to the greatest
// names: this_member_has_an_empty_range.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*least
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::in_range<&part::tag, 3, 9>;
#else
using word = wire::in_range<&part::tag, 9, 3>;
#endif
using codec = wire::record<wire::fields<word, wire::field<&part::value>>>;
static_assert(sizeof(codec) != 0);
