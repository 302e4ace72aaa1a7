// Member that the record does not have.
// expect: no field of this record holds that member
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
constexpr auto member = &point::y;
#else
constexpr auto member = &other::z;
#endif
constexpr std::array<std::byte, 2> bytes{};
static_assert(wire::record<point>::get<member>(bytes) == 0);
