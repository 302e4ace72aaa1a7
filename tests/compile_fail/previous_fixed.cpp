// Value that is carried through records of fixed size, in which nothing depends on it.
// expect: previous<> needs an item that depends on it
// names: this_member_is_carried_in_a_record_of_fixed_size.*("last"|'l', 'a', 's', 't')|'l', 'a', 's', 't'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct step {
  std::uint32_t last, pc;
};
#ifdef FIXED
using pc = wire::delta<&step::pc, &step::last>;
#else
using pc = wire::field<&step::pc>;
#endif
using codec = wire::record<wire::fields<wire::previous<&step::last, &step::pc>, pc>>;
static_assert(!std::is_same_v<codec::value_type, void>);
