// Tests absent items: as ends of extents and checksums, and as absent parts.
#include <tracecodec/io/checksum.hpp>
#include <tracecodec/wire.hpp>

#include "whole.hpp"

namespace io = tracecodec::io;
namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// The size covers `first` to `last`, whichever of these members are present.
struct sized {
  std::uint8_t size, flags, sum;
  std::uint32_t first;
  wire::array_view<wire::character> text;
  std::uint16_t last;
};
constexpr auto has_first = [](const sized& s) { return (s.flags & 1) != 0; };
constexpr auto has_text = [](const sized& s) { return (s.flags & 2) != 0; };
constexpr auto has_last = [](const sized& s) { return (s.flags & 4) != 0; };
using sized_codec = wire::record<
    wire::fields<wire::computed<&sized::size, wire::extent_of<&sized::first, &sized::last>>,
                 wire::field<&sized::flags>,
                 wire::computed<&sized::sum, wire::over<io::byte_sum, &sized::first, &sized::last>>,
                 wire::when<has_first, wire::field<&sized::first>>,
                 wire::when<has_text, wire::terminated<&sized::text>>,
                 wire::when<has_last, wire::field<&sized::last>>>>;

// Extent whose end is in an alternative.
struct either {
  std::uint8_t size, tag, one;
  std::uint16_t two;
  std::uint32_t four;
};
using either_codec = wire::record<
    wire::fields<wire::computed<&either::size, wire::extent_of<&either::tag, &either::four>>,
                 wire::field<&either::tag>,
                 wire::choice<&either::tag, wire::on<1, wire::field<&either::one>>,
                              wire::on<2, wire::field<&either::one>, wire::field<&either::two>>,
                              wire::on<3, wire::field<&either::four>>, wire::on<4>>>>;

struct tail {
  std::uint8_t size;
  bool has_a, has_b;
  std::uint8_t a;
  std::uint16_t b;
  wire::array_view<wire::u8> more;
};
using tail_codec = wire::record<wire::fields<
    wire::field<&tail::size>,
    wire::sized<&tail::size, wire::if_left<&tail::has_a, wire::field<&tail::a>>,
                wire::if_left<&tail::has_b, wire::field<&tail::b>>, wire::rest<&tail::more>>>>;

struct late {
  std::uint32_t before;
  std::uint8_t n;
  wire::array_view<wire::u8> data;
};
using late_codec = wire::record<
    wire::fields<wire::field<&late::before>, wire::computed<&late::n, wire::size_of<&late::data>>,
                 wire::counted<&late::data, &late::n>>>;

}  // namespace

TEST_CASE("an extent with an absent first or last item covers the items that are present") {
  comes_back<sized_codec>(hex<"00 00 00">);
  comes_back<sized_codec>(hex<"04 01 0a 01020304">);
  comes_back<sized_codec>(hex<"03 02 c3 6162 00">);
  comes_back<sized_codec>(hex<"02 04 03 0102">);
  comes_back<sized_codec>(hex<"07 03 cd 01020304 6162 00">);
  comes_back<sized_codec>(hex<"05 06 c6 6162 00 0102">);
  comes_back<sized_codec>(hex<"09 07 d0 01020304 6162 00 0102">);
  CHECK(refused<sized_codec>(hex<"00 02 c3 6162 00">) == refusal{errc::not_as_computed, "size", 0});
  CHECK(refused<sized_codec>(hex<"03 02 00 6162 00">) == refusal{errc::not_as_computed, "sum", 2});
  comes_back<either_codec>(hex<"01 04">);
  comes_back<either_codec>(hex<"05 03 01020304">);
}

TEST_CASE("encode refuses a part that follows an absent part") {
  CHECK(comes_back<tail_codec>(hex<"00">).has_a == false);
  CHECK(comes_back<tail_codec>(hex<"01 11">).has_b == false);
  CHECK(comes_back<tail_codec>(hex<"03 11 2222">).has_b);
  const tail all = comes_back<tail_codec>(hex<"05 11 2222 3344">);
  CHECK(all.more.size() == 2);
  std::array<byte, 8> out{};
  tail t = all;
  t.has_a = false;
  t.size = 4;
  auto r = tail_codec::encode(t, out);
  CHECK(r.error == errc::invalid_value);
  CHECK(r.field == "b");
  CHECK(r.used == 1);
  t = all;
  t.has_b = false;
  t.size = 3;
  r = tail_codec::encode(t, out);
  CHECK(r.error == errc::invalid_value);
  CHECK(r.field == "more");
  CHECK(r.used == 2);
  CHECK(out == std::array<byte, 8>{});
}

TEST_CASE("names a computed value that does not fit, with its offset") {
  const std::vector<byte> data(300);
  std::vector<byte> out(400);
  const auto r = late_codec::encode({1, 0, wire::array_view<wire::u8>(data)}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "n");
  CHECK(r.used == 4);
}

TEST_CASE("writes and checks a checksum of digits and blanks, as in tar headers") {
  // "name", then six digits of the sum of all bytes (in which the digits count as blanks), a
  // NUL and a blank.
  struct header {
    std::array<char, 4> name;
    std::uint32_t sum;
    wire::array_view<wire::u8> data;
  };
  using codec = wire::record<wire::fields<
      wire::field<&header::name>,
      wire::computed<&header::sum,
                     wire::over<io::byte_sum, &header::name, &header::sum, wire::itself_as<' '>>,
                     wire::digits_of<std::uint32_t, 8, 8, wire::digits_as::zeros_nul_blank>>,
      wire::rest<&header::data>>>;
  header h{{'n', 'a', 'm', 'e'}, 0, {}};
  std::vector<byte> out(12);
  CHECK(codec::encode(h, out).used == 12);
  // 6e + 61 + 6d + 65 + 8 * 20 = 2a1, 1241 in octal.
  CHECK(hex_of(out) ==
        "6e616d65303031323431"
        "0020");
  CHECK(codec::decode(out, h));
  CHECK(h.sum == 0x2a1);
}
