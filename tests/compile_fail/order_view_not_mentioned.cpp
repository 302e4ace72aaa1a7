// View that no item mentions.
// expect: a view needs an item that determines its end
// names: this_view_has_no_end.*"data"|'d', 'a', 't', 'a'.*a view needs an item
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct packet {
  std::uint8_t size;
  wire::array_view<wire::u8> data;
};
#ifdef FIXED
using codec =
    wire::record<wire::in_struct_order<packet, wire::counted<&packet::data, &packet::size>>>;
#else
using codec = wire::record<wire::in_struct_order<packet>>;
#endif
static_assert(codec::front_size != 0);
