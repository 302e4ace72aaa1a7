// Tests constants and computed values in a varint or in a few bits, and literal counts.
#include <tracecodec/wire.hpp>

#include <algorithm>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Protocol Buffers message. Tag 0x12 is field 2: a length, then that many bytes (Encoding,
// "Length-Delimited Records").
struct message {
  std::uint32_t tag, size;
  wire::array_view<wire::character> text;
};
using uleb = wire::uleb128_of<std::uint32_t>;
using message_codec =
    wire::record<wire::fields<wire::constant<&message::tag, 0x12, uleb>,
                              wire::computed<&message::size, wire::size_of<&message::text>, uleb>,
                              wire::counted<&message::text, &message::size>>>;

// Size that includes its own bytes.
struct sized {
  std::uint64_t size;
  wire::array_view<wire::u8> data;
  std::uint16_t end;
};
using sized_codec = wire::record<wire::fields<
    wire::computed<&sized::size, wire::extent_of<&sized::size, &sized::end>,
                   wire::uleb128_of<std::uint64_t>>,
    wire::sized<[](const sized& s) { return s.size < 4 ? 0 : s.size - (s.size < 128 ? 3 : 4); },
                wire::rest<&sized::data>>,
    wire::field<&sized::end>>>;

// RFC 1071: the one's complement of the sum of all words.
struct internet_checksum {
  std::uint32_t sum = 0;
  bool low = false;
  constexpr void update(std::span<const byte> bytes) noexcept {
    for (const byte b : bytes) {
      sum += std::to_integer<std::uint32_t>(b) << (low ? 0 : 8);
      low = !low;
    }
  }
  constexpr std::uint16_t value() const noexcept {
    std::uint32_t s = sum;
    while (s >> 16 != 0) s = (s & 0xffff) + (s >> 16);
    return static_cast<std::uint16_t>(~s & 0xffff);
  }
};
// RFC 791, 3.1: the header's length is in words of 4 bytes, and its checksum excludes its own
// bytes.
struct datagram {
  std::uint8_t ihl, dscp;
  std::uint16_t total, id, fragment;
  std::uint8_t ttl, protocol;
  std::uint16_t checksum;
  std::uint32_t source, destination;
  wire::array_view<wire::u8> options, data;
};
constexpr auto words = [](const datagram& d) { return 5 + d.options.size() / 4; };
constexpr auto bytes_of_options = [](const datagram& d) { return d.ihl * 4 - 20; };
using datagram_codec = wire::record<
    wire::fields<wire::bit_slices<std::uint8_t, wire::constant_bits<4, 4>,
                                  wire::computed_bits<&datagram::ihl, 4, words>>,
                 wire::field<&datagram::dscp>, wire::computed<&datagram::total, wire::extent_of<>>,
                 wire::field<&datagram::id>, wire::field<&datagram::fragment>,
                 wire::field<&datagram::ttl>, wire::field<&datagram::protocol>,
                 wire::computed<&datagram::checksum,
                                wire::over<internet_checksum, &datagram::ihl, &datagram::options>>,
                 wire::field<&datagram::source>, wire::field<&datagram::destination>,
                 wire::counted<&datagram::options, bytes_of_options>, wire::rest<&datagram::data>>,
    wire::order::big>;

struct triples {
  wire::array_view<wire::u16be> three;
  wire::strided_view<wire::u8> two;
  wire::list_view<uleb> pair;
  wire::array_view<wire::u8> four;
};
using triples_codec =
    wire::record<wire::fields<wire::counted<&triples::three, 3>, wire::strided<&triples::two, 2, 4>,
                              wire::list<&triples::pair, wire::times<2>>,
                              wire::sized<4, wire::rest<&triples::four>>>>;

}  // namespace

TEST_CASE("constants and lengths may be varints") {
  // Example of the guide: "testing" in field 2.
  const auto bytes = hex<"12 07 74657374696e67">;
  message m = comes_back<message_codec>(bytes);
  CHECK(wire::as_text(m.text) == "testing");
  m.tag = m.size = 0;
  std::array<byte, bytes.size()> out{};
  CHECK(message_codec::encode(m, out));
  CHECK(out == bytes);
  CHECK(refused<message_codec>(hex<"0a 07 74657374696e67">) ==
        refusal{errc::invalid_value, "tag", 0});
  // The tag may also be encoded in two bytes.
  CHECK(message_codec::decode(hex<"9200 07 74657374696e67">, m).used == 10);
  const std::vector<byte> long_text(300);
  m.text = wire::array_view<wire::character>(long_text);
  std::vector<byte> buffer(400);
  REQUIRE(message_codec::encode(m, buffer).used == 303);
  CHECK(hex_of(std::span(buffer).first(3)) == "12ac02");
}

TEST_CASE("a varint size that includes itself has the fewest bytes possible") {
  const std::vector<byte> data(300);
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{124}, std::size_t{125}, std::size_t{126}, std::size_t{300}}) {
    CAPTURE(n);
    std::vector<byte> buffer(400);
    const sized s{~std::uint64_t{}, wire::array_view<wire::u8>(std::span(data).first(n)), 7};
    const auto w = sized_codec::encode(s, buffer);
    REQUIRE(w);
    CHECK(w.used == n + (n < 125 ? 3 : 4));
    CHECK(comes_back<sized_codec>(std::span(buffer).first(w.used)).size == w.used);
  }
}

TEST_CASE("computes a 4-bit length and a checksum that covers it") {
  // IPv4 header of a UDP datagram. Wikipedia's page on the header's checksum computes b861.
  const auto bytes = hex<"4500 0073 0000 4000 4011 b861 c0a80001 c0a800c7">;
  std::vector<byte> whole(0x73);
  std::copy(bytes.begin(), bytes.end(), whole.begin());
  const auto length = [](std::span<const byte> in) {
    datagram d{};
    const auto r = datagram_codec::decode(in, d);
    return std::pair(r.error, d.ihl);
  };
  CHECK(length(whole) == std::pair(errc::ok, std::uint8_t{5}));
  datagram d{};
  REQUIRE(datagram_codec::decode(whole, d));
  CHECK(d.data.size() == 0x73 - 20);
  d.ihl = 0;
  d.total = d.checksum = 0;
  std::vector<byte> out(whole.size());
  CHECK(datagram_codec::encode(d, out));
  CHECK(hex_of(out) == hex_of(whole));
  whole[15] ^= byte{1};
  CHECK(refused<datagram_codec>(whole) == refusal{errc::not_as_computed, "checksum", 10});
  whole[15] ^= byte{1};
  whole[0] = byte{0x35};
  CHECK(refused<datagram_codec>(whole) == refusal{errc::invalid_value, "reserved", 0});
  // Four bits hold at most 15 words.
  const std::vector<byte> options(44);
  std::vector<byte> buffer(200);
  d.options = wire::array_view<wire::u8>(std::span(options).first(40));
  CHECK(datagram_codec::encode(d, buffer));
  CHECK(buffer[0] == byte{0x4f});
  d.options = wire::array_view<wire::u8>(options);
  const auto r = datagram_codec::encode(d, buffer);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "ihl");
  // A length that is shorter than the fixed header makes the number of options negative, which
  // exceeds any input.
  whole[0] = byte{0x44};
  CHECK(refused<datagram_codec>(whole) == refusal{errc::truncated, "options", 20});
}

TEST_CASE("counts, strides and sizes may be literal numbers") {
  const triples t =
      comes_back<triples_codec>(hex<"0001 0002 0003 04ffffff 05ffffff 06 ac02 07080900">);
  CHECK(t.three[2] == 3);
  CHECK(t.two[1] == 5);
  CHECK(*++t.pair.begin() == 300);
  CHECK(t.four[2] == 9);
  triples other = t;
  other.three = wire::array_view<wire::u16be>(t.three.bytes().first(4));
  std::array<byte, 32> out{};
  CHECK(triples_codec::encode(other, out).error == errc::count_mismatch);
  constexpr auto rows = triples_codec::layout();
  CHECK(rows[0].count.view() == "3");
}
