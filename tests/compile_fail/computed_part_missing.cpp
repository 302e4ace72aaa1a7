// Size of a part that the record lacks.
// expect: sized_by<&S::n> is the part sized<&S::n
// names: this_computed_member_has_no_part.*("size"|'s', 'i', 'z', 'e')|'s', 'i', 'z', 'e'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint16_t size, value;
};
using size = wire::computed<&part::size, wire::extent_of<wire::sized_by<&part::size>>>;
#ifdef FIXED
using rest = wire::sized<&part::size, wire::field<&part::value>>;
#else
using rest = wire::field<&part::value>;
#endif
using codec = wire::record<wire::fields<size, rest>>;
static_assert(!std::is_same_v<codec::value_type, void>);
