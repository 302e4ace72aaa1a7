// List of a struct instead of a wire type.
// expect: a view needs the wire type of its elements
// names: this_is_not_a_wire_type.*row|sizeof\(row
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct row {
  std::uint8_t a, b;
};
struct table {
#ifdef FIXED
  wire::list_view<wire::record<row>> rows;
#else
  wire::list_view<row> rows;
#endif
};
using codec = wire::record<wire::fields<wire::list<&table::rows>>>;
static_assert(!codec::fixed);
