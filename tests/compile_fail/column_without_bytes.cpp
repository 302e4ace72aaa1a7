// Column of a member that is not in the file.
// expect: no field of this record holds that member
#include <tracecodec/wire/columns/columns.hpp>

namespace wire = tracecodec::wire;

struct noted {
  std::uint32_t value, note;
};
using codec =
    wire::record<wire::fields<wire::field<&noted::value>, wire::not_on_wire<&noted::note>>>;
#ifdef FIXED
static_assert(wire::columns<codec, &noted::value>::count == 1);
#else
static_assert(wire::columns<codec>::count == 1);
#endif
