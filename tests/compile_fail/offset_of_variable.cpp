// Offset of a member after variable-length data. (Offsets in the fixed front are known.)
// expect: no field of this record has that member at a fixed offset
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
  std::uint8_t last;
};
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::items, &list::count>>,
                                        wire::section<wire::field<&list::last>>>>;
#ifdef FIXED
constexpr auto member = &list::count;
#else
constexpr auto member = &list::last;
#endif
static_assert(codec::offset_of<member> == 0);
