// Item without a member, outside of at<>.
// expect: no place for an item without a member
// names: this_item_mentions_no_member.*padding<3>|padding<3.*no place for an item
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
#ifdef FIXED
using gap = wire::at<wire::field<&part::kind>, wire::padding<3>>;
#else
using gap = wire::padding<3>;
#endif
using codec = wire::record<wire::in_struct_order<part, gap>>;
static_assert(codec::size == 7);
