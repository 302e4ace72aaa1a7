// Member that is relative to a member read after it.
// expect: a count or a condition must be read in an earlier section
// names: this_member_is_read_too_late.*("last"|'l', 'a', 's', 't')|'l', 'a', 's', 't'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct step {
  std::uint32_t last, pc;
};
using pc = wire::delta<&step::pc, &step::last>;
using last = wire::field<&step::last>;
#ifdef FIXED
using codec = wire::record<wire::fields<last, pc>>;
#else
using codec = wire::record<wire::fields<pc, last>>;
#endif
static_assert(!codec::fixed);
