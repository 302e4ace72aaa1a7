// Count that is read together with its conditional array.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
constexpr auto always = [](const list&) { return true; };
#ifdef FIXED
using codec = wire::record<
    wire::fields<wire::section<wire::field<&list::count>>,
                 wire::section<wire::when<always, wire::counted<&list::items, &list::count>>>>>;
#else
using codec = wire::record<wire::fields<wire::section<
    wire::field<&list::count>, wire::when<always, wire::counted<&list::items, &list::count>>>>>;
#endif
static_assert(!codec::fixed);
