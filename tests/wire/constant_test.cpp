// Tests what decode rejects: wrong constants, values outside a list or a range, failed
// conditions, reserved bits.
#include <tracecodec/wire/items/varint.hpp>
#include <tracecodec/wire/rules/constant.hpp>

#include <algorithm>
#include <limits>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Front of a GIF (GIF89a, 17 and 18).
struct gif {
  std::array<char, 3> signature;
  std::array<std::uint8_t, 3> version;
  std::uint16_t width, height;
};
using gif_codec =
    wire::record<wire::fields<wire::constant<&gif::signature, "GIF">,
                              wire::constant<&gif::version, "89a">, wire::field<&gif::width>,
                              wire::valid<&gif::height, [](auto h) { return h != 0; }>>>;
static_assert(gif_codec::fixed && gif_codec::size == 10 && gif_codec::refuses);
static_assert(!gif_codec::object_bytes);

// A message says the constant that the bytes lack, also the least number of 64 bits.
struct least {
  std::int64_t number;
};
using least_codec = wire::record<
    wire::fields<wire::constant<&least::number, std::numeric_limits<std::int64_t>::min()>>>;
static_assert(least_codec::constant_text("number").view() == "-9223372036854775808");
static_assert(gif_codec::constant_text("version").view() == "89a");

enum class kind : std::uint8_t { a = 1, b = 2, c = 7 };
struct numbers {
  std::uint32_t magic;
  kind what;
  std::uint16_t low;
  std::int32_t between;
  std::uint64_t leb;
};
using numbers_codec =
    wire::record<wire::fields<wire::constant<&numbers::magic, 0x7f454c46>, wire::literal<"\0x">,
                              wire::one_of<&numbers::what, kind::a, kind::c>,
                              wire::field<&numbers::low>, wire::in_range<&numbers::between, -2, 5>,
                              wire::valid<&numbers::leb, [](std::uint64_t n) { return n % 2 == 0; },
                                          wire::uleb128_of<std::uint64_t>>>,
                 wire::order::big>;

struct nested {
  std::uint8_t before;
  gif inside;
  std::array<gif, 2> more;
};
struct listed {
  std::uint8_t n;
  wire::array_view<gif_codec> all;
};

}  // namespace

TEST_CASE("writes constants by itself, and refuses other bytes") {
  const auto bytes = hex<"47 49 46 38 39 61 0a 00 14 00">;
  gif g = comes_back<gif_codec>(bytes);
  CHECK(g.version == std::array<std::uint8_t, 3>{'8', '9', 'a'});
  CHECK(g.height == 20);
  g.signature = {};
  g.version = {1, 2, 3};
  std::array<byte, 10> out{};
  CHECK(gif_codec::encode(g, out));
  CHECK(out == bytes);

  CHECK(refused<gif_codec>(hex<"47 49 47 38 39 61 0a 00 14 00">) ==
        refusal{errc::invalid_value, "signature", 0});
  CHECK(refused<gif_codec>(hex<"47 49 46 38 37 61 0a 00 14 00">) ==
        refusal{errc::invalid_value, "version", 3});
  CHECK(refused<gif_codec>(hex<"47 49 46 38 39 61 0a 00 00 00">) ==
        refusal{errc::invalid_value, "height", 8});
  g.height = 0;
  const auto w = gif_codec::encode(g, out);
  CHECK(w.error == errc::invalid_value);
  CHECK(w.field == "height");
  CHECK(w.used == 8);
}

TEST_CASE("checks that a member is one of several texts") {
  struct image {
    std::array<char, 6> magic;
    std::array<std::uint8_t, 2> mode;
  };
  using codec = wire::record<wire::fields<wire::one_of<&image::magic, "GIF87a", "GIF89a">,
                                          wire::one_of<&image::mode, "P5">>>;
  static_assert(codec::size == 8);
  CHECK(comes_back<codec>(hex<"474946383761 5035">).magic[4] == '7');
  CHECK(comes_back<codec>(hex<"474946383961 5035">).magic[4] == '9');
  CHECK(refused<codec>(hex<"474946383861 5035">) == refusal{errc::invalid_value, "magic", 0});
  CHECK(refused<codec>(hex<"474946383761 5036">) == refusal{errc::invalid_value, "mode", 6});
  std::array<byte, 8> out{};
  CHECK(codec::encode({{'G', 'I', 'F', '8', '8', 'a'}, {'P', '5'}}, out).error ==
        errc::invalid_value);
}

TEST_CASE("checks constants, lists, ranges and conditions, also on fields of variable length") {
  const auto good = hex<"7f454c46 0078 07 0102 fffffffe 04">;
  const numbers n = comes_back<numbers_codec>(good);
  CHECK(n.magic == 0x7f454c46);
  CHECK(n.what == kind::c);
  CHECK(n.between == -2);
  const auto with = [&](std::size_t i, unsigned char b) {
    auto changed = good;
    changed[i] = byte{b};
    return refused<numbers_codec>(changed);
  };
  CHECK(with(3, 0x47) == refusal{errc::invalid_value, "magic", 0});
  CHECK(with(4, 1) == refusal{errc::invalid_value, "(literal)", 4});
  CHECK(with(6, 2) == refusal{errc::invalid_value, "what", 6});
  CHECK(with(12, 0xfd) == refusal{errc::invalid_value, "between", 9});
  CHECK(with(13, 5) == refusal{errc::invalid_value, "leb", 13});
  CHECK(refused<numbers_codec>(hex<"7f454c46 0078 01 0000 00000006 04">) ==
        refusal{errc::invalid_value, "between", 9});
}

TEST_CASE("a nested record refuses the same bytes as a field, in arrays and in counted arrays") {
  using codec = wire::record<
      wire::fields<wire::field<&nested::before>, wire::field<&nested::inside, gif_codec>,
                   wire::field<&nested::more, wire::array_of<gif_codec, 2>>>>;
  std::vector<byte> all(31);
  const auto one = hex<"47 49 46 38 39 61 0a 00 14 00">;
  for (const std::ptrdiff_t at : {1, 11, 21}) std::copy(one.begin(), one.end(), all.begin() + at);
  comes_back<codec>(all);
  all[5] = byte{0};
  CHECK(refused<codec>(all) == refusal{errc::invalid_value, "version", 4});
  all[5] = one[4];
  all[21] = byte{0};
  CHECK(refused<codec>(all).error == errc::invalid_value);
  CHECK(refused<codec>(all).field == "more");

  using list = wire::record<wire::fields<wire::section<wire::field<&listed::n>>,
                                         wire::section<wire::counted<&listed::all, &listed::n>>>>;
  std::vector<byte> two(21);
  two[0] = byte{2};
  for (const std::ptrdiff_t at : {1, 11}) std::copy(one.begin(), one.end(), two.begin() + at);
  comes_back<list>(two);
  two[13] = byte{1};
  CHECK(refused<list>(two) == refusal{errc::invalid_value, "all", 1});
}

TEST_CASE("a predicate of valid<> may be a member of the value's struct") {
  struct version {
    std::uint8_t number, flags;
    constexpr bool is_known() const noexcept { return number >= 1 && number <= 2; }
  };
  struct front {
    version made_by;
    std::uint8_t n;
  };
  using codec = wire::record<wire::fields<wire::valid<&front::made_by, &version::is_known>,
                                          wire::valid<&front::n, [](int n) { return n < 9; }>>>;
  comes_back<codec>(hex<"02 ff 08">);
  CHECK(refused<codec>(hex<"03 ff 08">) == refusal{errc::invalid_value, "made_by", 0});
  CHECK(refused<codec>(hex<"01 ff 09">) == refusal{errc::invalid_value, "n", 2});
}

TEST_CASE("checks reserved bits in slices that are listed from the lowest bit") {
  struct flags {
    std::uint8_t low, high;
    bool set;
  };
  using codec = wire::record<wire::fields<wire::bits_from_low<
      std::uint16_t, wire::bits<&flags::low, 4>, wire::bits<&flags::set, 1>, wire::constant_bits<3>,
      wire::bits<&flags::high, 6>, wire::constant_bits<2, 1>>>>;
  const flags f = comes_back<codec>(hex<"1a 6a">);
  CHECK(f.low == 0xa);
  CHECK(f.set);
  CHECK(f.high == 0x2a);
  CHECK(refused<codec>(hex<"3a 6a">) == refusal{errc::invalid_value, "reserved", 0});
  CHECK(refused<codec>(hex<"1a aa">) == refusal{errc::invalid_value, "reserved", 0});
  constexpr auto rows = codec::layout();
  CHECK(rows[0].name.view() == "reserved");
  CHECK(rows[0].high_bit == 15);
  CHECK(rows[4].name.view() == "low");
  CHECK(rows[4].low_bit == 0);
}
