// Computed size in a member that is not an integer.
// expect: a computed field must be an integer
// names: this_member_cannot_be_computed.*("size"|'s', 'i', 'z', 'e')|'s', 'i', 'z', 'e'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
#ifdef FIXED
  std::uint32_t size;
#else
  float size;
#endif
  wire::array_view<wire::u8> data;
};
using codec = wire::record<wire::fields<wire::computed<&part::size, wire::size_of<&part::data>>,
                                        wire::counted<&part::data, &part::size>>>;
static_assert(!codec::fixed);
