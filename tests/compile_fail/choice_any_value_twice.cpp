// Value of a list of values that another alternative has, too.
// expect: two alternatives of a choice are for the same value
// names: this_choice_has_a_value_twice.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*same value
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using several = wire::values<2, 3>;
#else
using several = wire::values<2, 1>;
#endif
using codec =
    wire::record<wire::fields<wire::field<&part::tag>,
                              wire::choice<&part::tag, wire::on<1, wire::field<&part::value>>,
                                           wire::on_any<several, wire::padding<1>>>>>;
static_assert(sizeof(codec) != 0);
