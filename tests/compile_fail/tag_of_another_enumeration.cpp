// Alternative of a choice that is an enumerator of another enumeration.
// expect: does not fit the tag's type
// names: quoted<.*("tag"|'t', 'a', 'g')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

enum class kind : std::uint8_t { a };
enum class other : std::uint8_t { a };
struct event {
  kind tag;
  std::uint8_t id;
};
#ifdef FIXED
constexpr auto value = kind::a;
#else
constexpr auto value = other::a;
#endif
using codec =
    wire::record<wire::fields<wire::field<&event::tag>,
                              wire::choice<&event::tag, wire::on<value, wire::field<&event::id>>>>>;
static_assert(!codec::fixed);
