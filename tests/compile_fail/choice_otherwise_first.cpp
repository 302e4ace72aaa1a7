// Alternative after otherwise<>, which already matches everything.
// expect: and, as the last one, otherwise<items...>
// names: this_choice_has_an_invalid_alternative.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*alternatives
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::choice<&part::tag, wire::on<1>, wire::otherwise<wire::field<&part::value>>>;
#else
using word = wire::choice<&part::tag, wire::otherwise<wire::field<&part::value>>, wire::on<1>>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::tag>, word>>;
static_assert(sizeof(codec) != 0);
