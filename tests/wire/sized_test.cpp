// Tests parts that end with a size or with the input: sized, rest, skip_rest, if_left,
// align.
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/rules/computed.hpp>
#include <tracecodec/wire/rules/sized.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

struct chunk {
  std::uint8_t size;
  std::uint16_t head;
  wire::array_view<wire::u16le> values;
  std::uint8_t next;
};
struct optional {
  std::uint8_t size;
  std::uint8_t first;
  bool has_second;
  std::uint16_t second;
  bool has_third;
  std::uint8_t third;
};
// (An extent of items cannot end with an item that may be absent.)
constexpr auto size_of_items = [](const optional& o) {
  return 1 + 2 * o.has_second + (o.has_second && o.has_third);
};
struct aligned {
  wire::array_view<wire::character> name;
  std::uint32_t value;
};

}  // namespace

TEST_CASE("reads the rest of a part as an array") {
  using codec = wire::record<
      wire::fields<wire::field<&chunk::size>,
                   wire::sized<&chunk::size, wire::field<&chunk::head>, wire::rest<&chunk::values>>,
                   wire::field<&chunk::next>>>;
  const chunk c = comes_back<codec>(hex<"06 0102 0304 0506 ff">);
  CHECK(c.values.size() == 2);
  CHECK(c.values[1] == 0x605);
  CHECK(c.next == 0xff);
  CHECK(comes_back<codec>(hex<"02 0102 ff">).values.empty());
  // The part ends inside a field. More input would not help, so the error is not `truncated`.
  CHECK(refused<codec>(hex<"01 0102 ff">) == refusal{errc::wrong_size, "head", 1});
  CHECK(refused<codec>(hex<"03 0102 03 ff">) == refusal{errc::wrong_size, "values", 3});
  CHECK(refused<codec>(hex<"00 ff">) == refusal{errc::wrong_size, "head", 1});
  // The input ends inside the part.
  CHECK(refused<codec>(hex<"06 0102 03">) == refusal{errc::truncated, "values", 3});
  CHECK(refused<codec>(hex<"ff 0102 0304">).error == errc::truncated);
  chunk wrong = c;
  wrong.size = 5;
  std::array<byte, 16> out{};
  const auto w = codec::encode(wrong, out);
  CHECK(w.error == errc::count_mismatch);
  CHECK(w.used == 1);
  CHECK(out == std::array<byte, 16>{});
}

TEST_CASE("refuses unused bytes in a part unless skip_rest allows them") {
  using strict = wire::record<
      wire::fields<wire::field<&chunk::size>, wire::sized<&chunk::size, wire::field<&chunk::head>>,
                   wire::not_on_wire<&chunk::values>, wire::field<&chunk::next>>>;
  comes_back<strict>(hex<"02 0102 ff">);
  CHECK(refused<strict>(hex<"03 0102 03 ff">) == refusal{errc::wrong_size, "size", 0});
  CHECK(refused<strict>(hex<"03 0102">) == refusal{errc::truncated, "head", 1});
  using lenient = wire::record<
      wire::fields<wire::computed<&chunk::size, wire::extent_of<&chunk::head>>,
                   wire::sized<&chunk::size, wire::field<&chunk::head>, wire::skip_rest>,
                   wire::not_on_wire<&chunk::values>, wire::field<&chunk::next>>>;
  comes_back<lenient>(hex<"02 0102 ff">);
}

TEST_CASE("items at the end of a part may be absent") {
  using codec = wire::record<wire::fields<
      wire::computed<&optional::size, size_of_items>,
      wire::sized<
          &optional::size, wire::field<&optional::first>,
          wire::if_left<&optional::has_second, wire::field<&optional::second>,
                        wire::if_left<&optional::has_third, wire::field<&optional::third>>>>>>;
  optional o = comes_back<codec>(hex<"04 01 0203 04">);
  CHECK(o.has_second);
  CHECK(o.has_third);
  CHECK(o.third == 4);
  CHECK(refused<codec>(hex<"02 01 02">) == refusal{errc::wrong_size, "second", 2});
  CHECK(refused<codec>(hex<"05 01 0203 04 05">) == refusal{errc::wrong_size, "size", 0});
  std::size_t seen = 0;
  codec::walk(o, [&](std::string_view, const auto&) { ++seen; });
  CHECK(seen == 4);
}

TEST_CASE("reads and writes padding up to a multiple") {
  using codec = wire::record<
      wire::fields<wire::terminated<&aligned::name>, wire::align<4>, wire::field<&aligned::value>>>;
  CHECK(comes_back<codec>(hex<"61 00 0000 01020304">).value == 0x4030201);
  CHECK(comes_back<codec>(hex<"616263 00 01020304">).value == 0x4030201);
  CHECK(comes_back<codec>(hex<"61626364 00 000000 01020304">).value == 0x4030201);
  aligned a{};
  const auto dirty = hex<"61 00 ffff 01020304">;
  CHECK(codec::decode(dirty, a).used == 8);
  std::array<byte, 8> out{};
  CHECK(codec::encode(a, out));
  CHECK(hex_of(out) == "6100000001020304");
  // ar pads members of odd size with a line feed.
  using even = wire::record<
      wire::fields<wire::terminated<&aligned::name>, wire::align<2, wire::from_record, '\n'>,
                   wire::field<&aligned::value>>>;
  comes_back<even>(hex<"616200 0a 01020304">);
  comes_back<even>(hex<"6100 01020304">);
}
