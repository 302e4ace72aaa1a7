// A record of varying size as a field.
// expect: a struct without members, or a codec of varying size, is no field
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
using list_codec =
    wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                              wire::section<wire::counted<&list::items, &list::count>>>>;
struct outer {
#ifdef FIXED
  std::uint8_t inside;
#else
  list inside;
#endif
};
#ifdef FIXED
using inside = wire::u8;
#else
using inside = list_codec;
#endif
static_assert(wire::record<wire::fields<wire::field<&outer::inside, inside>>>::fixed);
