// Tests fits(): it returns true if a member's value survives a narrower or differently signed
// field.
#include <doctest/doctest.h>
#include <tracecodec/wire/types/array.hpp>

#include <limits>

#include "support.hpp"

namespace wire = tracecodec::wire;
using wire::order;

namespace {

template <class To, class From> constexpr bool fits(From v) {
  return wire::scalar<To, order::big>::fits(v);
}
template <class T> constexpr T lowest = std::numeric_limits<T>::min();
template <class T> constexpr T highest = std::numeric_limits<T>::max();
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Returns true if fits() agrees with plain arithmetic in a wide integer, for at most 16 bits.
template <class To, class From> constexpr bool agrees_with_arithmetic() {
  for (i64 v = lowest<From>; v <= highest<From>; ++v)
    if (fits<To>(static_cast<From>(v)) != (v >= i64{lowest<To>} && v <= i64{highest<To>}))
      return false;
  return true;
}

static_assert(agrees_with_arithmetic<i8, u8>() && agrees_with_arithmetic<u8, i8>());

TEST_CASE("fits() is exact for every 8- and 16-bit value and field") {
  CHECK(agrees_with_arithmetic<u8, u16>());
  CHECK(agrees_with_arithmetic<u8, i16>());
  CHECK(agrees_with_arithmetic<i8, u16>());
  CHECK(agrees_with_arithmetic<i8, i16>());
  CHECK(agrees_with_arithmetic<u16, i16>());
  CHECK(agrees_with_arithmetic<i16, u16>());
  CHECK(agrees_with_arithmetic<u16, u8>());
  CHECK(agrees_with_arithmetic<i16, i8>());
  CHECK(agrees_with_arithmetic<u32, i16>());
  CHECK(agrees_with_arithmetic<i32, u16>());
}

// The extremes of the wide types, written out.
static_assert(fits<u32>(u64{0xffff'ffff}) && !fits<u32>(u64{0x1'0000'0000}));
static_assert(!fits<u32>(highest<u64>) && !fits<u8>(highest<u64>) && !fits<u16>(lowest<i64>));
static_assert(fits<i32>(i64{lowest<i32>}) && fits<i32>(i64{highest<i32>}));
static_assert(!fits<i32>(i64{lowest<i32>} - 1) && !fits<i32>(i64{highest<i32>} + 1));
static_assert(!fits<i64>(highest<u64>) && !fits<i64>(u64{1} << 63) && fits<i64>(highest<u64> >> 1));
static_assert(!fits<u64>(lowest<i64>) && !fits<u64>(i64{-1}) && fits<u64>(highest<i64>));
static_assert(!fits<u64>(i8{-1}) && !fits<u32>(i32{-1}) && !fits<u8>(-1) && fits<u64>(i8{127}));
static_assert(!fits<i8>(u8{200}) && fits<i16>(u8{200}) && fits<i8>(u64{127}));

enum class tiny : u8 { top = 255 };
enum class sign : i32 { minus = -1, plus = 1 };
enum class large : u64 { top = ~u64{0} };
static_assert(fits<tiny>(255U) && !fits<tiny>(256U) && !fits<tiny>(-1));
static_assert(fits<u8>(tiny::top) && fits<i32>(sign::minus) && !fits<u32>(sign::minus));
static_assert(fits<u32>(sign::plus) && !fits<u32>(large::top) && fits<u64>(large::top));
static_assert(fits<bool>(1) && fits<bool>(0) && !fits<bool>(2) && !fits<bool>(-1));
static_assert(fits<u8>(true));

// Arrays of one scalar type always fit. The elements of any other array are checked one by
// one.
static_assert(wire::array_of<wire::u8, 3>::fits(std::array<u8, 3>{255, 0, 1}));

}  // namespace
