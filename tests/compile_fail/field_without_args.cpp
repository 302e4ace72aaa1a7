// Field whose record has a parameter that the field does not set.
// expect: a record with parameters needs one args
// names: this_member_does_not_receive_its_parameters.*("one"|'o', 'n', 'e')|'o', 'n', 'e'
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
  row one;
};
#ifdef FIXED
using one = wire::field<&table::one, row_codec, wire::args<&row::width, &table::width>>;
#else
using one = wire::field<&table::one, row_codec>;
#endif
using codec = wire::record<wire::fields<wire::field<&table::width>, one>>;
static_assert(!codec::fixed);
