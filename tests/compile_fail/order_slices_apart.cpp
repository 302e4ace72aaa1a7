// Members of one item between which the struct has another member.
// expect: the members of an item follow each other
// names: this_member_is_out_of_order.*"end"|'e', 'n', 'd'.*follow each other
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
#ifdef FIXED
using slices =
    wire::bit_slices<std::uint8_t, wire::bits<&part::high, 4>, wire::bits<&part::end, 4>>;
#else
using slices = wire::bit_slices<std::uint8_t, wire::bits<&part::low, 4>, wire::bits<&part::end, 4>>;
#endif
using codec = wire::record<wire::in_struct_order<part, slices>>;
static_assert(codec::size == 3);
