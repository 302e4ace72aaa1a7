// Column of a member with a checked value.
// expect: checked or computed members have none
#include <tracecodec/wire/columns/columns.hpp>
#include <tracecodec/wire/rules/constant.hpp>

namespace wire = tracecodec::wire;

struct step {
  std::uint16_t magic;
  std::uint32_t ip;
};
using codec = wire::record<wire::fields<wire::constant<&step::magic, 7>, wire::field<&step::ip>>>;
#ifdef FIXED
static_assert(wire::columns<codec, &step::ip>::count == 1);
#else
static_assert(wire::columns<codec, &step::magic>::count == 1);
#endif
