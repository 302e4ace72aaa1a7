// Two alternatives for one value.
// expect: two alternatives of a choice are for the same value
// names: this_choice_has_a_value_twice.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*same value
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::choice<&part::tag, wire::on<1, wire::field<&part::value>>, wire::on<2>>;
#else
using word = wire::choice<&part::tag, wire::on<1, wire::field<&part::value>>, wire::on<1>>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::tag>, word>>;
static_assert(sizeof(codec) != 0);
