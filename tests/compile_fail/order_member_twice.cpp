// Member that two items mention.
// expect: a member of the struct is described more than once
// names: this_member_is_described_twice.*"low"|'l', 'o', 'w'.*more than once
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
#ifdef FIXED
using second = wire::in_range<&part::high, 0, 3>;
#else
using second = wire::when<&part::kind, wire::field<&part::low>>;
#endif
using codec = wire::record<wire::in_struct_order<part, wire::in_range<&part::low, 0, 3>, second>>;
static_assert(codec::front_size != 0);
