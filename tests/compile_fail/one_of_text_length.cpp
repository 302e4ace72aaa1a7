// Text of a list that is shorter than its member.
// expect: or a text of as many characters as a std::array has
// names: this_member_cannot_have_its_value.*("magic"|'m', 'a', 'g', 'i', 'c')|'m', 'a', 'g', 'i', 'c'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::array<char, 4> magic;
};
#ifdef FIXED
using word = wire::one_of<&part::magic, "RIFF", "RIFX">;
#else
using word = wire::one_of<&part::magic, "RIFF", "FORMX">;
#endif
using codec = wire::record<wire::fields<word>>;
static_assert(codec::size == 4);
