// Padding bytes among bit slices.
// expect: bit slices are bits<>, unused_bits<>, constant_bits<> and computed_bits<>
// names: this_is_not_a_bit_slice.*padding<4>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct flags {
  std::uint8_t kind;
};
#ifdef FIXED
using rest = wire::unused_bits<4>;
#else
using rest = wire::padding<4>;
#endif
using codec =
    wire::record<wire::fields<wire::bit_slices<std::uint8_t, wire::bits<&flags::kind, 4>, rest>>>;
static_assert(codec::size == 1);
