// Count that is a function with an argument.
// expect: a const member function of S without arguments|or a callable that accepts
// names: this_function_does_not_accept_the_record|list::\*
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  constexpr std::size_t twice() const { return 2U * count; }
  constexpr std::size_t times(unsigned n) const { return n * count; }
  wire::array_view<wire::u8> items;
};
#ifdef FIXED
constexpr auto count = &list::twice;
#else
constexpr auto count = &list::times;
#endif
using codec =
    wire::record<wire::fields<wire::field<&list::count>, wire::counted<&list::items, count>>>;
static_assert(!codec::fixed);
