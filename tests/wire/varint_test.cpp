// Tests variable-length integers against the examples in their specifications.
#include <tracecodec/wire/items/varint.hpp>

#include <limits>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

template <class T> struct one { T value; };
template <class T> using uleb = wire::record<wire::fields<wire::leb128<&one<T>::value>>>;
template <class T> using sleb = wire::record<wire::fields<wire::sleb128<&one<T>::value>>>;
template <class T> using zigzag = wire::record<wire::fields<wire::zigzag<&one<T>::value>>>;
template <class T> using vlq = wire::record<wire::fields<wire::vlq<&one<T>::value>>>;

template <class Codec> auto value(std::span<const byte> bytes) {
  return comes_back<Codec>(bytes).value;
}
template <class Codec> errc error(std::span<const byte> bytes) {
  const refusal r = refused<Codec>(bytes);
  if (r.error != errc::ok) CHECK(r == refusal{r.error, "value", 0});
  return r.error;
}

}  // namespace

TEST_CASE("unsigned LEB128 equals table 7.7 of DWARF 5") {
  CHECK(value<uleb<std::uint32_t>>(hex<"02">) == 2);
  CHECK(value<uleb<std::uint32_t>>(hex<"7f">) == 127);
  CHECK(value<uleb<std::uint32_t>>(hex<"80 01">) == 128);
  CHECK(value<uleb<std::uint32_t>>(hex<"81 01">) == 129);
  CHECK(value<uleb<std::uint32_t>>(hex<"b9 64">) == 12857);
  CHECK(value<uleb<std::uint64_t>>(hex<"e5 8e 26">) == 624485);
}

TEST_CASE("signed LEB128 equals table 7.8 of DWARF 5") {
  CHECK(value<sleb<std::int32_t>>(hex<"02">) == 2);
  CHECK(value<sleb<std::int32_t>>(hex<"7e">) == -2);
  CHECK(value<sleb<std::int32_t>>(hex<"ff 00">) == 127);
  CHECK(value<sleb<std::int32_t>>(hex<"81 7f">) == -127);
  CHECK(value<sleb<std::int32_t>>(hex<"80 01">) == 128);
  CHECK(value<sleb<std::int32_t>>(hex<"80 7f">) == -128);
  CHECK(value<sleb<std::int32_t>>(hex<"81 01">) == 129);
  CHECK(value<sleb<std::int32_t>>(hex<"ff 7e">) == -129);
  CHECK(value<sleb<std::int64_t>>(hex<"c0 bb 78">) == -123456);
}

TEST_CASE("zigzag equals the table of Protocol Buffers' encoding guide") {
  CHECK(value<zigzag<std::int32_t>>(hex<"00">) == 0);
  CHECK(value<zigzag<std::int32_t>>(hex<"01">) == -1);
  CHECK(value<zigzag<std::int32_t>>(hex<"02">) == 1);
  CHECK(value<zigzag<std::int32_t>>(hex<"03">) == -2);
  CHECK(value<zigzag<std::int32_t>>(hex<"fe ff ff ff 0f">) == 2147483647);
  CHECK(value<zigzag<std::int32_t>>(hex<"ff ff ff ff 0f">) == -2147483647 - 1);
}

TEST_CASE("variable-length quantities equal the table of Standard MIDI Files") {
  CHECK(value<vlq<std::uint32_t>>(hex<"00">) == 0);
  CHECK(value<vlq<std::uint32_t>>(hex<"40">) == 0x40);
  CHECK(value<vlq<std::uint32_t>>(hex<"7f">) == 0x7F);
  CHECK(value<vlq<std::uint32_t>>(hex<"81 00">) == 0x80);
  CHECK(value<vlq<std::uint32_t>>(hex<"c0 00">) == 0x2000);
  CHECK(value<vlq<std::uint32_t>>(hex<"ff 7f">) == 0x3FFF);
  CHECK(value<vlq<std::uint32_t>>(hex<"81 80 00">) == 0x4000);
  CHECK(value<vlq<std::uint32_t>>(hex<"ff ff 7f">) == 0x1FFFFF);
  CHECK(value<vlq<std::uint32_t>>(hex<"81 80 80 00">) == 0x200000);
  CHECK(value<vlq<std::uint32_t>>(hex<"ff ff ff 7f">) == 0xFFFFFFF);
}

TEST_CASE("decodes the largest values and refuses larger ones") {
  CHECK(value<uleb<std::uint8_t>>(hex<"ff 01">) == 255);
  CHECK(error<uleb<std::uint8_t>>(hex<"80 02">) == errc::malformed);
  // The encoding is longer than any value needs.
  CHECK(error<uleb<std::uint8_t>>(hex<"80 80 00">) == errc::malformed);
  CHECK(value<uleb<std::uint32_t>>(hex<"ff ff ff ff 0f">) == 0xFFFFFFFF);
  CHECK(error<uleb<std::uint32_t>>(hex<"80 80 80 80 10">) == errc::malformed);
  CHECK(value<uleb<std::uint64_t>>(hex<"ff ff ff ff ff ff ff ff ff 01">) == ~std::uint64_t{});
  CHECK(error<uleb<std::uint64_t>>(hex<"80 80 80 80 80 80 80 80 80 02">) == errc::malformed);
  CHECK(error<uleb<std::uint64_t>>(hex<"80 80 80 80 80 80 80 80 80 81 00">) == errc::malformed);
  CHECK(value<sleb<std::int8_t>>(hex<"80 7f">) == -128);
  CHECK(value<sleb<std::int8_t>>(hex<"ff 00">) == 127);
  CHECK(error<sleb<std::int8_t>>(hex<"80 01">) == errc::malformed);
  CHECK(error<sleb<std::int8_t>>(hex<"ff 7e">) == errc::malformed);
  CHECK(value<sleb<std::int64_t>>(hex<"80 80 80 80 80 80 80 80 80 7f">) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(value<sleb<std::int64_t>>(hex<"ff ff ff ff ff ff ff ff ff 00">) ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(error<sleb<std::int64_t>>(hex<"80 80 80 80 80 80 80 80 80 01">) == errc::malformed);
  CHECK(value<vlq<std::uint32_t>>(hex<"8f ff ff ff 7f">) == 0xFFFFFFFF);
  CHECK(error<vlq<std::uint32_t>>(hex<"90 80 80 80 00">) == errc::malformed);
  CHECK(error<vlq<std::uint32_t>>(hex<"80 80 80 80 80 00">) == errc::malformed);
  CHECK(error<uleb<std::uint32_t>>(hex<"80 80">) == errc::truncated);
}

TEST_CASE("reads forms that are longer than needed and writes the shortest form") {
  one<std::uint32_t> s{};
  const auto in = hex<"83 80 00">;
  CHECK(uleb<std::uint32_t>::decode(in, s).used == 3);
  CHECK(s.value == 3);
  CHECK(uleb<std::uint32_t>::extent(s) == 1);
}

TEST_CASE("a varint count may directly precede its elements") {
  struct counted {
    std::uint32_t n;
    wire::array_view<wire::u16le> values;
  };
  using codec = wire::record<
      wire::fields<wire::leb128<&counted::n>, wire::counted<&counted::values, &counted::n>>>;
  CHECK(comes_back<codec>(hex<"02 0100 0200">).values[1] == 2);
  CHECK(refused<codec>(hex<"8001 0100">) == refusal{errc::truncated, "values", 2});
}

TEST_CASE("all varint values round-trip") {
  random_numbers random{3};
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = random() >> random() % 64;
    std::array<byte, 16> out{};
    const auto both = [&]<class Codec, class T>(std::type_identity<Codec>, T v) {
      one<T> s{v}, back{};
      const auto w = Codec::encode(s, out);
      REQUIRE(w);
      const auto r = Codec::decode(std::span(out).first(w.used), back);
      REQUIRE(r);
      CHECK(r.used == w.used);
      CHECK(back.value == v);
    };
    both(std::type_identity<uleb<std::uint64_t>>{}, n);
    both(std::type_identity<uleb<std::uint16_t>>{}, static_cast<std::uint16_t>(n));
    both(std::type_identity<sleb<std::int64_t>>{}, static_cast<std::int64_t>(n));
    both(std::type_identity<sleb<std::int64_t>>{}, -static_cast<std::int64_t>(n >> 1));
    both(std::type_identity<sleb<std::int16_t>>{}, static_cast<std::int16_t>(n));
    both(std::type_identity<zigzag<std::int64_t>>{}, static_cast<std::int64_t>(~n));
    both(std::type_identity<vlq<std::uint64_t>>{}, n);
  }
}

TEST_CASE("varints work in constant expressions and have layout rows") {
  constexpr auto good = [] {
    one<std::int64_t> s{-5};
    std::array<byte, 10> out{};
    const auto w = sleb<std::int64_t>::encode(s, out);
    one<std::int64_t> back{};
    return sleb<std::int64_t>::decode(std::span(out).first(w.used), back).used == 1 &&
           back.value == -5;
  }();
  static_assert(good);
  constexpr auto rows = uleb<std::uint64_t>::layout();
  CHECK(rows[0].type.view() == "uleb64");
  CHECK(rows[0].variable_length);
  CHECK(rows[0].count.view() == "1 to 10");
}
