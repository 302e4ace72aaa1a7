// Table of bits in which a slice is one bit wider than in the description.
// expect: table_and_description_differ<.*quoted<.*(0-15 16 location|'0', '-', '1', '5').*quoted<.*(0-14 15 location|'0', '-', '1', '4')
#include <tracecodec/wire/layout/laid_out_as.hpp>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct wide_event {
  std::uint16_t location;
  std::uint32_t thread;
};
using codec =
    wire::record<wire::fields<wire::bit_slices<std::uint32_t, wire::bits<&wide_event::location, 15>,
                                               wire::bits<&wide_event::thread, 17>>>>;
#ifdef FIXED
static_assert(wire::is_laid_out_as<codec, R"(
Bits   Width  Field
0-14   15     location
15-31  17     thread
)">);
#else
static_assert(wire::is_laid_out_as<codec, R"(
Bits   Width  Field
0-15   16     location
16-31  16     thread
)">);
#endif
