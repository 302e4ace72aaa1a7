// Constant that does not fit its member.
// expect: does not fit the member's type
// names: this_member_cannot_have_its_value.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*constant
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::constant<&part::tag, 255>;
#else
using word = wire::constant<&part::tag, 256>;
#endif
using codec = wire::record<wire::fields<word, wire::field<&part::value>>>;
static_assert(sizeof(codec) != 0);
