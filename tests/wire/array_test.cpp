// Tests fixed arrays: scalars of both orders, nested arrays, and arrays that are copied as one
// block.
#include <doctest/doctest.h>
#include <tracecodec/wire/types/array.hpp>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::array_of;
using wire::order;

namespace {

template <class W, std::size_t N>
constexpr bool moves(const typename W::value_type& value, const std::array<byte, N>& golden) {
  static_assert(W::size == N);
  for (std::size_t at = 0; at < 8; ++at) {
    std::array<byte, N + 9> buffer{};
    W::store(value, buffer.data() + at);
    for (std::size_t i = 0; i < buffer.size(); ++i)
      if (buffer[i] != (i >= at && i < at + N ? golden[i - at] : byte{0})) return false;
    if (W::load(buffer.data() + at) != value) return false;
  }
  return true;
}

constexpr bool arrays() {
  using grid = array_of<array_of<wire::u16be, 2>, 3>;
  return moves<array_of<wire::u8, 4>>({1, 2, 3, 4}, hex<"01020304">) &&
         moves<array_of<wire::u32le, 2>>({0x01020304, 0x05060708}, hex<"0403020108070605">) &&
         moves<array_of<wire::u32be, 2>>({0x01020304, 0x05060708}, hex<"0102030405060708">) &&
         moves<array_of<wire::scalar<bool, order::little>, 3>>({true, false, true},
                                                               hex<"010001">) &&
         moves<grid>({{{1, 2}, {3, 4}, {5, 0xabcd}}}, hex<"0001 0002 0003 0004 0005 abcd">);
}
static_assert(arrays());

TEST_CASE("an array is stored as consecutive elements") { CHECK(arrays()); }

TEST_CASE("an array's type name consists of the element's name and the length") {
  CHECK(array_of<wire::u8, 4>::type_name().view() == "u8[4]");
  CHECK(array_of<array_of<wire::u64be, 12>, 3>::type_name().view() == "u64[12][3]");
}

static_assert(array_of<wire::u8, 4>::object_bytes &&
              array_of<array_of<wire::u8, 4>, 2>::object_bytes);
static_assert(!array_of<wire::scalar<bool, order::native>, 4>::object_bytes);
static_assert(array_of<wire::u32be, 2>::byte_order == order::big);
static_assert(array_of<wire::u32be, 2>::has_order && !array_of<wire::u8, 2>::has_order);
static_assert(array_of<wire::u32be, 2>::alignment == 4);

}  // namespace
