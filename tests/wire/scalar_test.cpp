// Tests scalars: every width and order, signed, enumerations, bool and floating point, at
// every alignment.
#include <doctest/doctest.h>
#include <tracecodec/wire/types/scalar.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::order;
using wire::scalar;

namespace {

enum class small : std::uint8_t { zero, seven = 7, top = 255 };
enum class wide : std::int32_t { minus = -2, large = 0x01020304 };

// Stores `value` at each of 8 alignments, compares with `golden`, checks the neighbours, and loads.
template <class W, std::size_t N>
constexpr bool moves(typename W::value_type value, const std::array<byte, N>& golden) {
  static_assert(W::size == N && W::alignment == N);
  for (std::size_t at = 0; at < 8; ++at) {
    std::array<byte, N + 9> buffer{};
    for (byte& b : buffer) b = byte{0xa5};
    W::store(value, buffer.data() + at);
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      const bool inside = i >= at && i < at + N;
      if (buffer[i] != (inside ? golden[i - at] : byte{0xa5})) return false;
    }
    if (W::load(buffer.data() + at) != value) return false;
  }
  return true;
}

template <class T, std::size_t N>
constexpr bool both(T value, const std::array<byte, N>& little, const std::array<byte, N>& big) {
  return moves<scalar<T, order::little>>(value, little) && moves<scalar<T, order::big>>(value, big);
}

// Expected bytes from Python's struct.pack with '<' and '>'.
constexpr bool integers() {
  return both<std::uint8_t>(0x9c, hex<"9c">, hex<"9c">) &&
         both<std::uint16_t>(0x0102, hex<"0201">, hex<"0102">) &&
         both<std::uint32_t>(0x01020304, hex<"04030201">, hex<"01020304">) &&
         both<std::uint64_t>(0x0102030405060708, hex<"0807060504030201">,
                             hex<"0102030405060708">) &&
         both<std::int8_t>(-2, hex<"fe">, hex<"fe">) &&
         both<std::int16_t>(-2, hex<"feff">, hex<"fffe">) &&
         both<std::int32_t>(-3, hex<"fdffffff">, hex<"fffffffd">) &&
         both<std::int64_t>(-5, hex<"fbffffffffffffff">, hex<"fffffffffffffffb">) &&
         both<std::int64_t>(std::numeric_limits<std::int64_t>::min(), hex<"0000000000000080">,
                            hex<"8000000000000000">);
}

constexpr bool other_kinds() {
  return both<char>('A', hex<"41">, hex<"41">) && both<byte>(byte{0x7f}, hex<"7f">, hex<"7f">) &&
         both<bool>(true, hex<"01">, hex<"01">) && both<bool>(false, hex<"00">, hex<"00">) &&
         both<small>(small::seven, hex<"07">, hex<"07">) &&
         both<wide>(wide::large, hex<"04030201">, hex<"01020304">) &&
         both<wide>(wide::minus, hex<"feffffff">, hex<"fffffffe">) &&
         both<char16_t>(u'\x20ac', hex<"ac20">, hex<"20ac">);
}

constexpr bool floats() {
  return both<float>(1.0F, hex<"0000803f">, hex<"3f800000">) &&
         both<float>(3.1415927410125732F, hex<"db0f4940">, hex<"40490fdb">) &&
         both<float>(std::numeric_limits<float>::infinity(), hex<"0000807f">, hex<"7f800000">) &&
         both<float>(std::numeric_limits<float>::denorm_min(), hex<"01000000">, hex<"00000001">) &&
         both<double>(0.1, hex<"9a9999999999b93f">, hex<"3fb999999999999a">) &&
         both<double>(3.141592653589793, hex<"182d4454fb210940">, hex<"400921fb54442d18">) &&
         both<double>(5e-324, hex<"0100000000000000">, hex<"0000000000000001">) &&
         both<double>(std::numeric_limits<double>::lowest(), hex<"ffffffffffffefff">,
                      hex<"ffefffffffffffff">);
}

static_assert(integers() && other_kinds() && floats());

TEST_CASE("loads and stores scalars in both byte orders at every alignment") {
  CHECK(integers());
  CHECK(other_kinds());
  CHECK(floats());
}

TEST_CASE("a bool on the wire is true unless its byte is 0") {
  using W = scalar<bool, order::little>;
  for (unsigned i = 0; i < 256; ++i) {
    const byte b{static_cast<unsigned char>(i)};
    CHECK(W::load(&b) == (i != 0));
  }
}

TEST_CASE("negative zero and NaN keep their bit patterns") {
  std::array<byte, 8> out{};
  scalar<double, order::big>::store(-0.0, out.data());
  CHECK(out == hex<"8000000000000000">);
  CHECK(std::signbit(scalar<double, order::big>::load(out.data())));
  const auto nan = hex<"7ff8000000000abc">;
  scalar<double, order::big>::store(scalar<double, order::big>::load(nan.data()), out.data());
  CHECK(out == nan);
}

TEST_CASE("a type's name consists of its kind and its number of bits") {
  CHECK(wire::u8::type_name().view() == "u8");
  CHECK(wire::u64be::type_name().view() == "u64");
  CHECK(scalar<std::int16_t, order::big>::type_name().view() == "i16");
  CHECK(scalar<float, order::big>::type_name().view() == "f32");
  CHECK(scalar<double, order::little>::type_name().view() == "f64");
  CHECK(scalar<small, order::little>::type_name().view() == "u8");
  CHECK(scalar<wide, order::little>::type_name().view() == "i32");
  CHECK(scalar<bool, order::little>::type_name().view() == "u8");
  CHECK(scalar<byte, order::little>::type_name().view() == "u8");
}

TEST_CASE("load_little reads at most eight bytes, lowest byte first") {
  constexpr std::array<byte, 9> bytes{byte{1}, byte{2},    byte{3}, byte{4},   byte{5},
                                      byte{6}, byte{0x70}, byte{8}, byte{0x99}};
  static_assert(wire::load_little(bytes.data(), 3) == 0x030201);
  CHECK(wire::load_little(nullptr, 0) == 0);
  CHECK(wire::load_little(bytes.data(), 1) == 1);
  CHECK(wire::load_little(bytes.data(), 7) == 0x70060504030201);
  CHECK(wire::load_little(bytes.data(), 8) == 0x0870060504030201);
  CHECK(wire::load_little(bytes.data(), 9) == 0x0870060504030201);
  CHECK(wire::load_little(bytes.data() + 8, 1) == 0x99);
}

// A byte of value 2 is not a valid bool, not even in an enumeration based on bool.
enum class answer : bool { no, yes };
static_assert(!scalar<bool, order::little>::object_bytes);
static_assert(!scalar<answer, order::little>::object_bytes);
static_assert(scalar<small, order::big>::object_bytes);
static_assert(scalar<std::uint32_t, order::native>::object_bytes);
static_assert(!scalar < std::uint32_t,
              order::native == order::big ? order::little : order::big > ::object_bytes);

static_assert(!wire::u8::has_order && wire::u16be::has_order);
static_assert(std::is_same_v<wire::u32le::value_type, std::uint32_t>);
static_assert(std::is_same_v<wire::integer_t<wide>, std::int32_t>);
static_assert(std::is_same_v<wire::integer_t<float>, float>);

static_assert(noexcept(wire::u64be::load(nullptr)));
static_assert(noexcept(wire::u64be::store(0, nullptr)));

}  // namespace
