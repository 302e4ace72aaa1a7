// A count that a function computes of a member read together with the array.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
  constexpr unsigned twice() const { return 2U * count; }
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::items, &list::twice>>>>;
#else
using codec = wire::record<wire::fields<
    wire::section<wire::field<&list::count>, wire::counted<&list::items, &list::twice>>>>;
#endif
static_assert(!codec::fixed);
