// Field after an item that takes all remaining bytes.
// expect: nothing can follow an item that extends to the end
// names: this_member_takes_all_remaining_bytes.*("data"|'d', 'a', 't', 'a')|'d', 'a', 't', 'a'.*nothing can stand
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  wire::array_view<wire::u8> data;
  std::uint8_t behind;
};
#ifdef FIXED
using codec =
    wire::record<wire::fields<wire::sized<4, wire::rest<&part::data>>, wire::field<&part::behind>>>;
#else
using codec = wire::record<wire::fields<wire::rest<&part::data>, wire::field<&part::behind>>>;
#endif
static_assert(!codec::fixed);
