// Extent whose first member comes after its last.
// expect: need the first end before the last
// names: this_member_comes_too_late.*("last"|'l', 'a', 's', 't')|'l', 'a', 's', 't'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint32_t size, first, last;
};
#ifdef FIXED
constexpr auto extent = wire::extent_of<&part::first, &part::last>;
#else
constexpr auto extent = wire::extent_of<&part::last, &part::first>;
#endif
using codec = wire::record<wire::fields<wire::computed<&part::size, extent>,
                                        wire::field<&part::first>, wire::field<&part::last>>>;
static_assert(!std::is_same_v<codec::value_type, void>);
