// Count that is not an integer.
// expect: a count is an integer
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
constexpr auto half = [](const list& l) { return l.count / 2; };
#else
constexpr auto half = [](const list& l) { return l.count * 0.5; };
#endif
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::items, half>>>>;
inline wire::result read(std::span<const wire::byte> in, list& l) { return codec::decode(in, l); }
