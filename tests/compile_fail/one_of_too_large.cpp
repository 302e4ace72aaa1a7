// List of allowed values with a value that does not fit the member.
// expect: does not fit the member's type
// names: this_member_cannot_have_its_value.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*constant
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::one_of<&part::tag, 1, 2>;
#else
using word = wire::one_of<&part::tag, 1, -2>;
#endif
using codec = wire::record<wire::fields<word, wire::field<&part::value>>>;
static_assert(sizeof(codec) != 0);
