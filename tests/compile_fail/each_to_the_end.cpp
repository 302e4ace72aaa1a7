// List that ends with the input, although its elements receive the elements of another list.
// expect: a list whose elements receive each<&S::view> needs a number of elements
// names: this_list_needs_a_number_of_elements.*("cells"|'c', 'e', 'l', 'l', 's')
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
#ifdef FIXED
using end = wire::times<wire::size_of<&sheet::widths>>;
#else
using end = wire::to_end;
#endif
using codec = wire::record<wire::fields<
    wire::prefixed<&sheet::widths, std::uint8_t>,
    wire::list<&sheet::cells, end, wire::args<&cell::width, wire::each<&sheet::widths>>>>>;
static_assert(!codec::fixed);
