// Items instead of the alternatives of a choice.
// expect: the alternatives of a choice are on<value, items...>
// names: this_choice_has_an_invalid_alternative.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*alternatives
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::choice<&part::tag, wire::otherwise<wire::field<&part::value>>>;
#else
using word = wire::choice<&part::tag, wire::field<&part::value>>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::tag>, word>>;
static_assert(sizeof(codec) != 0);
