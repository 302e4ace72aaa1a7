// Natural placement of a record of varying size.
// expect: natural placement needs a record of fixed size
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
constexpr auto place = wire::placement::packed;
#else
constexpr auto place = wire::placement::natural;
#endif
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::items, &list::count>>>,
                           wire::order::little, place>;
static_assert(!codec::fixed);
