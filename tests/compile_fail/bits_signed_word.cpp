// Signed integer that bit slices share.
// expect: bit slices share an unsigned integer
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

#ifdef FIXED
using word = std::uint16_t;
#else
using word = std::int16_t;
#endif
struct event {
  std::uint8_t high;
  std::uint8_t low;
};
using codec = wire::record<
    wire::fields<wire::bit_slices<word, wire::bits<&event::high, 8>, wire::bits<&event::low, 8>>>>;
static_assert(codec::size != 0);
