// Count that is read after its array.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::items, &list::count>>>>;
#else
using codec = wire::record<wire::fields<wire::section<wire::counted<&list::items, &list::count>>,
                                        wire::section<wire::field<&list::count>>>>;
#endif
static_assert(!codec::fixed);
