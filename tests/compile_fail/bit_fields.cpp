// Struct with bit-fields.
// expect: has no bit-fields.*list them in bit_slices
// names: this_struct_cannot_be_described.*bit_fields|has no bit-fields
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
#ifdef FIXED
  std::uint8_t kind;
  std::uint8_t id;
#else
  std::uint8_t kind : 4;
  std::uint8_t id : 4;
#endif
};
static_assert(wire::record<event>::fixed);
