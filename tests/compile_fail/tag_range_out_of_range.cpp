// Alternative of a choice for a range of values that ends above the tag's greatest value.
// expect: does not fit the tag's type
// names: quoted<.*("tag"|'t', 'a', 'g')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t tag;
  std::uint8_t id;
};
#ifdef FIXED
constexpr auto last = 255;
#else
constexpr auto last = 300;
#endif
using codec = wire::record<
    wire::fields<wire::field<&event::tag>,
                 wire::choice<&event::tag, wire::on_range<200, last, wire::field<&event::id>>>>>;
static_assert(!codec::fixed);
