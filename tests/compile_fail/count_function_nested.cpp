// A count that a function finds in a nested record, bit by bit, read together with the array.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct head {
  std::uint8_t version;
  std::uint32_t flags;
  bool last;
};
struct list {
  head h;
  std::uint8_t other;
  wire::array_view<wire::u8> items;
};
constexpr auto high_bit = [](const list& l) { return l.h.flags >> 31; };
#ifdef FIXED
using codec =
    wire::record<wire::fields<wire::section<wire::field<&list::h>, wire::field<&list::other>>,
                              wire::section<wire::counted<&list::items, high_bit>>>>;
#else
using codec = wire::record<
    wire::fields<wire::section<wire::field<&list::other>>,
                 wire::section<wire::field<&list::h>, wire::counted<&list::items, high_bit>>>>;
#endif
static_assert(!codec::fixed);
