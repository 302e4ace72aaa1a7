// Count that is a member of another struct.
// expect: a count, condition or tag is a member of the struct
// names: this_member_belongs_to_another_struct.*("count"|'c', 'o', 'u')|quoted<.*("count"|'c', 'o', 'u')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct header {
  std::uint8_t count;
};
struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
constexpr auto count = &list::count;
#else
constexpr auto count = &header::count;
#endif
using codec =
    wire::record<wire::fields<wire::field<&list::count>, wire::counted<&list::items, count>>>;
static_assert(!codec::fixed);
