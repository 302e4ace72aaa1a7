// Bit slices whose widths leave one bit of their word unused.
// expect: the widths of the bit slices must add up
// names: widths_of_slices_and_of_their_word.*Sum = 31; .*Word = 32|31U == 32U
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

#ifdef FIXED
constexpr unsigned thread_bits = 17;
#else
constexpr unsigned thread_bits = 16;
#endif
struct wide_event {
  std::uint16_t location;
  std::uint32_t thread;
};
using codec =
    wire::record<wire::fields<wire::bit_slices<std::uint32_t, wire::bits<&wide_event::location, 15>,
                                               wire::bits<&wide_event::thread, thread_bits>>>>;
static_assert(codec::size != 0);
