// Tests numbers of 24 to 56 and of 128 bits, in both orders, as text, and short floating
// point.
#include <tracecodec/wire/items/integers.hpp>
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/with_order.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {
struct odd {
  std::uint32_t u24;
  std::int32_t i24;
  std::uint64_t u40, u48, u56;
  wire::uint128 u128;
};
template <wire::order O> using odd_codec =
    wire::record<wire::fields<wire::integer<&odd::u24, 24>, wire::integer<&odd::i24, 24>,
                              wire::integer<&odd::u40, 40>, wire::integer<&odd::u48, 48>,
                              wire::integer<&odd::u56, 56>, wire::field<&odd::u128>>,
                 O>;
struct floats {
  float half, brain;
};
using floats_codec =
    wire::record<wire::fields<wire::float16<&floats::half>, wire::bfloat16<&floats::brain>>>;
struct number {
  std::uint32_t n;
};
template <wire::digits_as As, unsigned Base = 10> using digits_codec =
    wire::record<wire::fields<wire::digits<&number::n, 6, Base, As>>>;
constexpr std::array<byte, 6> text(std::string_view s) {
  std::array<byte, 6> all{};
  for (std::size_t i = 0; i < s.size(); ++i) all[i] = static_cast<byte>(s[i]);
  return all;
}
std::span<const byte> characters(std::string_view s) { return std::as_bytes(std::span(s)); }
}  // namespace

TEST_CASE("reads integers of 24 to 128 bits in both byte orders") {
  const auto little =
      hex<"030201 feffff 0504030201 060504030201 07060504030201 100f0e0d0c0b0a090807060504030201">;
  const auto big =
      hex<"010203 fffffe 0102030405 010203040506 01020304050607 0102030405060708090a0b0c0d0e0f10">;
  const auto check = [](const odd& o) {
    CHECK(o.u24 == 0x010203);
    CHECK(o.i24 == -2);
    CHECK(o.u40 == 0x0102030405);
    CHECK(o.u48 == 0x010203040506);
    CHECK(o.u56 == 0x01020304050607);
    CHECK(o.u128 == wire::uint128{0x090a0b0c0d0e0f10, 0x0102030405060708});
  };
  check(comes_back<odd_codec<wire::order::little>>(little));
  check(comes_back<odd_codec<wire::order::big>>(big));
  // The byte order is chosen once, at run time.
  for (const auto o : {wire::order::little, wire::order::big})
    check(wire::with_order(o, [&]<wire::order O>() {
      return odd_codec<O>::decode(O == wire::order::big ? big : little);
    }));
  std::array<byte, 43> out{};
  odd o{};
  o.u24 = 1 << 24;
  CHECK(odd_codec<wire::order::big>::encode(o, out).field == "u24");
  o.u24 = (1 << 24) - 1;
  o.i24 = 1 << 23;
  CHECK(odd_codec<wire::order::big>::encode(o, out).field == "i24");
  o.i24 = -(1 << 23) - 1;
  CHECK(odd_codec<wire::order::big>::encode(o, out).field == "i24");
  o.i24 = -(1 << 23);
  CHECK(odd_codec<wire::order::big>::encode(o, out));
}

TEST_CASE("checks that copies in both byte orders agree") {
  using codec = wire::record<wire::fields<wire::both_orders<&number::n>>>;
  CHECK(comes_back<codec>(hex<"01020304 04030201">).n == 0x4030201);
  CHECK(refused<codec>(hex<"01020304 04030202">) == refusal{errc::malformed, "n", 0});
}

TEST_CASE("reads and writes numbers as text") {
  using wire::digits_as;
  CHECK(comes_back<digits_codec<digits_as::zeros_nul, 8>>(text("00644")).n == 0644);
  CHECK(comes_back<digits_codec<digits_as::left>>(text("1234  ")).n == 1234);
  CHECK(comes_back<digits_codec<digits_as::right>>(text("  1234")).n == 1234);
  CHECK(comes_back<digits_codec<digits_as::zeros, 16>>(text("00beef")).n == 0xbeef);
  const auto read = [](std::string_view s) {
    number n{};
    const auto r = digits_codec<digits_as::right>::decode(text(s), n);
    return r ? std::to_string(n.n) : "refused";
  };
  CHECK(read(" 12\0\0" + std::string()) == "12");
  CHECK(read("      ") == "0");
  CHECK(read("") == "0");
  CHECK(read("12 3  ") == "refused");
  CHECK(read("12a") == "refused");
  CHECK(read("-1") == "refused");
  CHECK(read("0x1") == "refused");
  using wide = wire::record<wire::fields<wire::digits<&number::n, 10, 10, digits_as::left>>>;
  std::array<byte, 10> largest{};
  std::string_view s = "4294967295";
  for (std::size_t i = 0; i < 10; ++i) largest[i] = static_cast<byte>(s[i]);
  CHECK(comes_back<wide>(largest).n == 4294967295);
  largest[9] = byte{'6'};
  CHECK(refused<wide>(largest) == refusal{errc::malformed, "n", 0});
  std::array<byte, 6> out{};
  CHECK(digits_codec<digits_as::zeros_nul>::encode({99999}, out));
  CHECK(digits_codec<digits_as::zeros_nul>::encode({100000}, out).error == errc::does_not_fit);
  CHECK(digits_codec<digits_as::left>::encode({999999}, out));
}

TEST_CASE("reads and writes binary16 and bfloat16") {
  const auto half = [](std::uint16_t h) {
    floats f{};
    std::array<byte, 4> in{};
    wire::u16le::store(h, in.data());
    floats_codec::decode(in, f);
    return f.half;
  };
  CHECK(half(0x3c00) == 1);
  CHECK(half(0xc000) == -2);
  CHECK(half(0x7bff) == 65504);
  CHECK(half(0x0400) == std::ldexp(1.0F, -14));
  CHECK(half(0x0001) == std::ldexp(1.0F, -24));
  CHECK(half(0x03ff) == std::ldexp(1023.0F, -24));
  CHECK(half(0x3555) == 0.333251953125F);
  CHECK(half(0x7c00) == std::numeric_limits<float>::infinity());
  CHECK(half(0xfc00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(half(0x7e01)));
  CHECK(std::signbit(half(0x8000)));
  floats f = comes_back<floats_codec>(hex<"003c 4940">);
  CHECK(f.brain == 3.140625F);
  // Every value of both formats round-trips.
  for (unsigned n = 0; n < 0x10000; ++n) {
    std::array<byte, 4> in{}, out{};
    wire::u16le::store(static_cast<std::uint16_t>(n), in.data());
    wire::u16le::store(static_cast<std::uint16_t>(n), in.data() + 2);
    REQUIRE(floats_codec::decode(in, f));
    REQUIRE(floats_codec::encode(f, out));
    if (!(f.half != f.half)) REQUIRE(std::equal(in.begin(), in.begin() + 2, out.begin()));
    if (!(f.brain != f.brain)) REQUIRE(std::equal(in.begin() + 2, in.end(), out.begin() + 2));
  }
  std::array<byte, 4> out{};
  CHECK(floats_codec::encode({0.1F, 1}, out).field == "half");
  CHECK(floats_codec::encode({65536, 1}, out).field == "half");
  CHECK(floats_codec::encode({1, 0.1F}, out).field == "brain");
}

TEST_CASE("reads numbers as text of varying length, up to a character") {
  // Entry of a tree object of git: the mode in octal, a blank, the name, a NUL, the object's id.
  struct entry {
    std::uint32_t mode;
    wire::array_view<wire::character> name;
    std::array<std::uint8_t, 2> id;
  };
  using entry_codec =
      wire::record<wire::fields<wire::digits_until<&entry::mode, 8, ' '>,
                                wire::terminated<&entry::name>, wire::field<&entry::id>>>;
  CHECK(comes_back<entry_codec>(hex<"313030363434 20 6100 abcd">).mode == 0100644);
  CHECK(comes_back<entry_codec>(hex<"3430303030 20 6200 abcd">).mode == 040000);
  CHECK(comes_back<entry_codec>(hex<"30 20 6200 abcd">).mode == 0);
  CHECK(comes_back<entry_codec>(hex<"3337373737373737373737 20 6200 abcd">).mode == 0xffffffff);

  const auto refusal_of = [](std::string_view s) { return refused<entry_codec>(characters(s)); };
  const refusal malformed{errc::malformed, "mode", 0};
  for (const char* bad : {" a", "8 ", "040000 ", "00 ", "-1 ", "40000000000 ", "7777777777777777 "})
    CHECK_MESSAGE(refusal_of(bad) == malformed, bad);
  CHECK(refusal_of("100644") == refusal{errc::truncated, "mode", 0});
  CHECK(refusal_of("") == refusal{errc::truncated, "mode", 0});

  struct line {
    std::int8_t n;
    std::int64_t wide;
  };
  using line_codec = wire::record<wire::fields<wire::digits_until<&line::n, 10, ','>,
                                               wire::digits_until<&line::wide, 16, '\n'>>>;
  const line low = comes_back<line_codec>(characters("-128,-8000000000000000\n"));
  CHECK(low.n == -128);
  CHECK(low.wide == std::numeric_limits<std::int64_t>::min());
  const line high = comes_back<line_codec>(characters("127,7fffffffffffffff\n"));
  CHECK(high.n == 127);
  CHECK(high.wide == std::numeric_limits<std::int64_t>::max());
  const refusal no_number{errc::malformed, "n", 0};
  for (const char* bad : {"128,0\n", "-129,0\n", "-0,0\n", "-,0\n", "+1,0\n", "0x1,0\n"})
    CHECK_MESSAGE(refused<line_codec>(characters(bad)) == no_number, bad);
  CHECK(refused<line_codec>(characters("1,AB\n")) == refusal{errc::malformed, "wide", 2});
  CHECK(refused<line_codec>(characters("1,8000000000000000\n")) ==
        refusal{errc::malformed, "wide", 2});
}
