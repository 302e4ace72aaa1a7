// Extent of a member that has no bytes.
// expect: need members that the same record
// names: this_member_has_no_bytes_in_the_record.*("note"|'n', 'o', 't', 'e')|'n', 'o', 't', 'e'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint32_t size, value, note;
};
#ifdef FIXED
constexpr auto extent = wire::extent_of<&part::value>;
#else
constexpr auto extent = wire::extent_of<&part::note>;
#endif
using codec = wire::record<wire::fields<wire::computed<&part::size, extent>,
                                        wire::field<&part::value>, wire::not_on_wire<&part::note>>>;
static_assert(!std::is_same_v<codec::value_type, void>);
