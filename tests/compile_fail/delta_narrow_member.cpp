// Difference that is wider than its member.
// expect: delta<> needs a member that is an integer
// names: this_member_cannot_be_relative.*("pc"|'p', 'c')|'p', 'c'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct step {
  std::uint32_t last, pc;
};
#ifdef FIXED
using difference = std::int32_t;
#else
using difference = std::int64_t;
#endif
using codec = wire::record<
    wire::fields<wire::field<&step::last>, wire::delta<&step::pc, &step::last, difference>>>;
static_assert(!codec::fixed);
