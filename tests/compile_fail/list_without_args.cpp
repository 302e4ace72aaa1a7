// List whose elements have a parameter that the list does not set.
// expect: a record with parameters needs one args
// names: this_member_does_not_receive_its_parameters.*("rows"|'r', 'o', 'w', 's')|'r', 'o', 'w', 's'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct row {
  std::uint8_t width;
  wire::array_view<wire::u8> cells;
};
using row_codec = wire::record<
    wire::fields<wire::parameter<&row::width>, wire::counted<&row::cells, &row::width>>>;
struct table {
  std::uint8_t width;
#ifdef FIXED
  wire::list_view<row_codec, &row::width> rows;
#else
  wire::list_view<row_codec> rows;
#endif
};
#ifdef FIXED
using rows = wire::list<&table::rows, wire::to_end, wire::args<&row::width, &table::width>>;
#else
using rows = wire::list<&table::rows, wire::to_end>;
#endif
using codec = wire::record<wire::fields<wire::field<&table::width>, rows>>;
static_assert(!codec::fixed);
