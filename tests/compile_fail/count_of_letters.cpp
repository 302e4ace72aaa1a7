// Count that is a text.
// expect: a count is an integer of up to 64 bits
// names: quoted<.*("count"|'c', 'o', 'u')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::array<char, 2> count;
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
constexpr auto count = 2;
#else
constexpr auto count = &list::count;
#endif
using codec =
    wire::record<wire::fields<wire::field<&list::count>, wire::counted<&list::items, count>>>;
static_assert(!codec::fixed);
