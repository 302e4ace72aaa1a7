// Tests text as views: terminated, prefixed by its length and padded; of bytes and of UTF-16.
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/items/varint.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

using chars = wire::array_view<wire::character>;
struct two {
  chars first;
  std::uint16_t between;
  chars second;
};
struct wide {
  wire::array_view<wire::u16le> text;
};

}  // namespace

TEST_CASE("reads text up to a terminator") {
  using codec = wire::record<wire::fields<wire::terminated<&two::first>, wire::field<&two::between>,
                                          wire::terminated<&two::second, '\n'>>>;
  const two t = comes_back<codec>(hex<"61 62 00 01 02 0a">);
  CHECK(wire::as_text(t.first) == "ab");
  CHECK(t.between == 0x201);
  CHECK(wire::as_text(t.second).empty());
  CHECK(refused<codec>(hex<"61 62 00 01 02 78 79">) == refusal{errc::truncated, "second", 5});
  CHECK(refused<codec>(hex<"61 62 00 01">) == refusal{errc::truncated, "between", 3});
  // Text that contains its own terminator would come back shorter.
  two bad = t;
  const auto inside = hex<"61 00">;
  bad.first = chars(inside);
  std::array<byte, 16> out{};
  const auto w = codec::encode(bad, out);
  CHECK(w.error == errc::does_not_fit);
  CHECK(w.field == "first");
  CHECK(out == std::array<byte, 16>{});
  constexpr auto rows = codec::layout();
  CHECK(rows[0].count.view() == "1 x terminated");
  CHECK(rows[1].variable_offset);
}

TEST_CASE("reads UTF-16 up to a NUL at any alignment") {
  using codec = wire::record<wire::fields<wire::terminated<&wide::text>>>;
  const wide w = comes_back<codec>(hex<"41 00 00 01 00 00">);
  REQUIRE(w.text.size() == 2);
  CHECK(w.text[0] == 0x41);
  CHECK(w.text[1] == 0x100);
}

TEST_CASE("reads text after its length, which may be any integer type") {
  using codec = wire::record<
      wire::fields<wire::prefixed<&two::first, std::uint16_t>, wire::field<&two::between>,
                   wire::prefixed<&two::second, wire::uleb128_of<std::uint32_t>>>,
      wire::order::big>;
  const two t = comes_back<codec>(hex<"0002 6162 0102 03 787900">);
  CHECK(wire::as_text(t.first) == "ab");
  CHECK(wire::as_text(t.second) == std::string_view("xy\0", 3));
  CHECK(refused<codec>(hex<"0003 6162">) == refusal{errc::truncated, "first", 0});
  CHECK(refused<codec>(hex<"0000 0102 ffffffff0f">) == refusal{errc::truncated, "second", 4});
  CHECK(refused<codec>(hex<"0000 0102 ffffffff1f">) == refusal{errc::malformed, "second", 4});
  // Negative lengths, and lengths whose product overflows, exceed any input.
  using negative = wire::record<wire::fields<wire::prefixed<&wide::text, std::int64_t>>>;
  CHECK(refused<negative>(hex<"ffffffffffffffff 0000">).error == errc::truncated);
  CHECK(refused<negative>(hex<"0100000000000080 0000">).error == errc::truncated);
  CHECK(comes_back<negative>(hex<"0100000000000000 4100">).text[0] == 0x41);

  // Length that does not fit its byte.
  using narrow = wire::record<wire::fields<wire::prefixed<&wide::text, std::uint8_t>>>;
  const std::vector<byte> many(2 * 256);
  std::vector<byte> out(1024);
  const wide longest{wire::array_view<wire::u16le>(std::span(many).first(2 * 255))};
  CHECK(narrow::encode(longest, out).used == 511);
  const auto r = narrow::encode(wide{wire::array_view<wire::u16le>(many)}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "text");
}

TEST_CASE("reads and writes padded text in a field of fixed size") {
  using codec = wire::record<wire::fields<wire::padded<&two::first, 4>, wire::field<&two::between>,
                                          wire::padded<&two::second, 6, ' '>>>;
  static_assert(codec::fixed && codec::size == 12);
  const two t = comes_back<codec>(hex<"61 00 62 00 0102 782079202020">);
  CHECK(wire::as_text(t.first) == std::string_view("a\0b", 3));
  CHECK(wire::as_text(t.second) == "x y");
  CHECK(wire::as_text(codec::get<&two::second>(hex<"61006200 0102 782079202020">)) == "x y");
  two longer = t;
  longer.first = t.second;
  std::array<byte, 12> out{};
  CHECK(codec::encode(longer, out));
  const auto five = hex<"6162636465">;
  longer.first = chars(five);
  const auto w = codec::encode(longer, out);
  CHECK(w.error == errc::does_not_fit);
  CHECK(w.field == "first");
}
