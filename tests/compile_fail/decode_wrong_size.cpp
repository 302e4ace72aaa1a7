// Fixed record decoded from a number of bytes other than its size.
// expect: no matching function|could not convert|no viable
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct point {
  std::uint8_t x;
  std::uint8_t y;
};
struct other {
  std::uint8_t z;
};
#ifdef FIXED
constexpr std::array<std::byte, 2> bytes{};
#else
constexpr std::array<std::byte, 3> bytes{};
#endif
static_assert(wire::record<point>::decode(bytes).x == 0);
