// Byte order that a member of another type states.
// expect: in_byte_order<> needs a wire::order
// names: this_member_is_not_a_byte_order.*("big"|'b', 'i', 'g')|'b', 'i', 'g'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  bool big;
  std::uint32_t value;
  constexpr wire::order byte_order() const { return big ? wire::order::big : wire::order::little; }
};
#ifdef FIXED
using word = wire::in_byte_order<&part::byte_order, wire::field<&part::value>>;
#else
using word = wire::in_byte_order<&part::big, wire::field<&part::value>>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::big>, word>>;
static_assert(!codec::fixed);
