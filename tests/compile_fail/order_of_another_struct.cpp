// Item of another struct.
// expect: all items of a description are members of one struct
// names: this_item_belongs_to_another_struct.*other.*("grade"|'g', 'r', 'a', 'd', 'e')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
struct other {
  std::uint8_t grade;
};
#ifdef FIXED
using limit = wire::in_range<&part::kind, 0, 3>;
#else
using limit = wire::in_range<&other::grade, 0, 3>;
#endif
using codec = wire::record<wire::in_struct_order<part, limit>>;
static_assert(codec::size == 4);
