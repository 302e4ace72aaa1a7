// Number of elements of a member that has none.
// expect: size_of<> needs a member that is a view or an array
// names: this_member_has_no_size.*("value"|'v', 'a', 'l', 'u', 'e')|'v', 'a', 'l', 'u', 'e'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t n;
#ifdef FIXED
  std::array<std::uint8_t, 1> value;
#else
  std::uint8_t value;
#endif
};
using codec = wire::record<
    wire::fields<wire::computed<&part::n, wire::size_of<&part::value>>, wire::field<&part::value>>>;
static_assert(codec::fixed);
