// Array of counted elements in a list_view.
// expect: this item needs a member that is an array_view<W>
// names: this_member_must_be_an_array_view.*("rows"|'r', 'o', 'w', 's')|'r', 'o', 'w', 's'
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
  wire::list_view<wire::record<row>> rows;
#endif
};
using codec =
    wire::record<wire::fields<wire::field<&table::n>, wire::counted<&table::rows, &table::n>>>;
static_assert(!codec::fixed);
