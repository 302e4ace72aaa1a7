// Items without the struct.
// expect: begins with a plain struct that has members
// names: listed_in_order<.*field<&part::kind|field<&part::kind.*begins with a plain struct
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
#ifdef FIXED
using codec = wire::record<wire::in_struct_order<part, wire::field<&part::kind>>>;
#else
using codec = wire::record<wire::in_struct_order<wire::field<&part::kind>>>;
#endif
static_assert(codec::size == 4);
