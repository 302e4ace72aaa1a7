// Constant text that is shorter than its array.
// expect: a text of as many characters as a std::array has
// names: this_member_cannot_have_its_value.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*constant
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::array<char, 4> tag;
  std::uint8_t value;
};
#ifdef FIXED
using word = wire::constant<&part::tag, "EVNT">;
#else
using word = wire::constant<&part::tag, "EVN">;
#endif
using codec = wire::record<wire::fields<word, wire::field<&part::value>>>;
static_assert(sizeof(codec) != 0);
