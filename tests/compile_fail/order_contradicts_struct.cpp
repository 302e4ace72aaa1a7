// Items in another order than the members.
// expect: lists items in the order of the struct
// names: this_member_is_out_of_order.*"high"|'h', 'i', 'g', 'h'.*lists items in the order
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
using low = wire::in_range<&part::low, 0, 3>;
using high = wire::in_range<&part::high, 0, 3>;
#ifdef FIXED
using codec = wire::record<wire::in_struct_order<part, low, high>>;
#else
using codec = wire::record<wire::in_struct_order<part, high, low>>;
#endif
static_assert(codec::size == 4);
