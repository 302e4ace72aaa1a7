// List after its count whose elements have a parameter that the list does not set.
// expect: a record with parameters needs one args<&inner::parameter, from> for each of them
// names: this_member_does_not_receive_its_parameters.*("all"|'a', 'l', 'l')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct element {
  std::uint8_t width;
  wire::array_view<wire::u8> bytes;
};
using element_codec = wire::record<wire::fields<wire::parameter<&element::width>,
                                                wire::counted<&element::bytes, &element::width>>>;
struct table {
  std::uint8_t width;
#ifdef FIXED
  wire::list_view<element_codec, &element::width> all;
#else
  wire::list_view<element_codec> all;
#endif
};
using codec = wire::record<wire::fields<
    wire::field<&table::width>,
#ifdef FIXED
    wire::prefixed<&table::all, std::uint16_t, wire::args<&element::width, &table::width>>
#else
    wire::prefixed<&table::all, std::uint16_t>
#endif
    >>;
static_assert(!codec::fixed);
