// Alternative chosen by a member that two alternatives store at different offsets.
// expect: the alternatives that have the member have it in different places
#include <tracecodec/wire/rules/chosen.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, size, value;
};
#ifdef FIXED
using second = wire::on<2, wire::field<&part::value>, wire::field<&part::size>>;
#else
using second = wire::on<2, wire::field<&part::size>, wire::field<&part::value>>;
#endif
using any = wire::record<
    wire::fields<wire::field<&part::tag>,
                 wire::choice<&part::tag, wire::on<1, wire::field<&part::value>>, second>>>;
static_assert(wire::chosen_with<any, &part::value>::fixed);
