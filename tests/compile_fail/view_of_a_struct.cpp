// View of a struct instead of a wire type.
// expect: a view needs the wire type of its elements
// names: this_is_not_a_wire_type.*row|sizeof\(row
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct row {
  std::uint8_t a, b;
};
struct table {
  std::uint8_t n;
#ifdef FIXED
  wire::array_view<wire::record<row>> rows;
#else
  wire::array_view<row> rows;
#endif
};
using codec =
    wire::record<wire::fields<wire::field<&table::n>, wire::counted<&table::rows, &table::n>>>;
static_assert(!codec::fixed);
