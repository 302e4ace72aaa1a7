// Member that is computed by a function that returns a text.
// expect: returns an integer
// names: quoted<.*("id"|'i', 'd')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint32_t id;
#ifdef FIXED
  constexpr std::uint32_t sum() const { return 1; }
#else
  constexpr std::array<char, 4> sum() const { return {}; }
#endif
};
static_assert(wire::record<wire::fields<wire::computed<&event::id, &event::sum>>>::size == 4);
