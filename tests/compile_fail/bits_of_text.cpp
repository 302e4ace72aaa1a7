// Bit slices of a number that is stored as text.
// expect: bit slices share an unsigned integer or an unsigned varint
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

#ifdef FIXED
using word = wire::uleb128_of<std::uint16_t>;
#else
using word = wire::digits_of<std::uint64_t, 2, 10, wire::digits_as::zeros>;
#endif
struct event {
  std::uint8_t high;
  std::uint8_t low;
};
using codec = wire::record<
    wire::fields<wire::bit_slices<word, wire::bits<&event::high, 8>, wire::bits<&event::low, 8>>>>;
static_assert(codec::front_size == 0);
