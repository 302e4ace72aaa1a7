// List whose elements receive the elements of a list that is read later.
// expect: must be read in an earlier section
// names: this_member_is_read_too_late.*("widths"|'w', 'i', 'd', 't', 'h', 's')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct cell {
  std::uint8_t width;
  wire::array_view<wire::u8> data;
};
using cell_codec = wire::record<
    wire::fields<wire::parameter<&cell::width>, wire::counted<&cell::data, &cell::width>>>;
using widths_view = wire::array_view<wire::u8>;
struct sheet {
  widths_view widths;
  wire::list_view<cell_codec, wire::each<&cell::width, widths_view>> cells;
};
using widths = wire::prefixed<&sheet::widths, std::uint8_t>;
using cells =
    wire::list<&sheet::cells, wire::times<2>, wire::args<&cell::width, wire::each<&sheet::widths>>>;
#ifdef FIXED
using codec = wire::record<wire::fields<widths, cells>>;
#else
using codec = wire::record<wire::fields<cells, widths>>;
#endif
static_assert(!codec::fixed);
