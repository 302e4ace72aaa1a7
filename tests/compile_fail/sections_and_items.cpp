// Sections mixed with bare items.
// expect: group all items in sections, or none
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
using first = wire::section<wire::field<&list::count>>;
#else
using first = wire::field<&list::count>;
#endif
using codec =
    wire::record<wire::fields<first, wire::section<wire::counted<&list::items, &list::count>>>>;
static_assert(!codec::fixed);
