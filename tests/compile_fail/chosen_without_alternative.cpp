// Record with a chosen tag that has no alternative.
// expect: no alternative of the choice has that tag
// names: no_alternative_has_this_tag<1>
#include <tracecodec/wire/rules/chosen.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
using any =
    wire::record<wire::fields<wire::field<&part::tag>,
                              wire::choice<&part::tag, wire::on<0, wire::field<&part::value>>>>>;
#ifdef FIXED
using codec = wire::chosen<any, 0>;
#else
using codec = wire::chosen<any, 1>;
#endif
static_assert(codec::fixed);
