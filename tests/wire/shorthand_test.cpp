// Tests the shorthand, a plain struct and a policy, on RapidBin's header and ChampSim's record
// in both orders.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using tracecodec::champsim::instruction;
using wire::order;

namespace {

// RapidBin's header: numbers of threads, locks, variables and events; signed, big-endian.
struct header {
  std::int16_t threads;
  std::int32_t locks;
  std::int32_t variables;
  std::int64_t events;
  friend constexpr bool operator==(const header&, const header&) = default;
};
using header_codec = wire::record<header, order::big>;
static_assert(header_codec::size == 18 && header_codec::fixed && header_codec::alignment == 1);

// First 18 bytes of r250.data. Its dump shows 4 threads, 4 locks, 39 variables and 256 events.
constexpr auto r250 = hex<"0004 00000004 00000027 0000000000000100">;
static_assert(header_codec::decode(r250) == header{4, 4, 39, 256});

TEST_CASE("decodes and encodes RapidBin's header") {
  CHECK(header_codec::decode(r250) == header{4, 4, 39, 256});
  header h{};
  const wire::result read = header_codec::decode(r250, h);
  CHECK(read);
  CHECK(read.used == 18);
  CHECK(h == header{4, 4, 39, 256});
  std::array<byte, 18> out{};
  CHECK(header_codec::encode(h, out).used == 18);
  CHECK(out == r250);
}

TEST_CASE("RapidBin's header is signed") {
  // struct.pack('>hiiq', -2, -3, -4, -5)
  constexpr auto golden = hex<"fffe fffffffd fffffffc fffffffffffffffb">;
  CHECK(header_codec::decode(golden) == header{-2, -3, -4, -5});
  std::array<byte, 18> out{};
  CHECK(header_codec::encode({-2, -3, -4, -5}, out));
  CHECK(out == golden);
}

// struct.pack('<Q 2B 2B 4B 2Q 4Q', ...), as in the ChampSim guide, and with '>'.
constexpr instruction sample{0x3f000c,
                             1,
                             1,
                             {26, 25},
                             {6, 25, 26, 67},
                             {0x33fca08, 0xffffffffffffffff},
                             {0xf484a10, 0x0123456789abcdef, 0, 0x8000000000000000}};
constexpr auto little =
    hex<"0c003f0000000000 01 01 1a19 06191a43 08ca3f0300000000 ffffffffffffffff"
        "104a480f00000000 efcdab8967452301 0000000000000000 0000000000000080">;
constexpr auto big =
    hex<"00000000003f000c 01 01 1a19 06191a43 00000000033fca08 ffffffffffffffff"
        "000000000f484a10 0123456789abcdef 0000000000000000 8000000000000000">;

template <class Codec, std::size_t N> constexpr bool trip(const std::array<byte, N>& golden) {
  std::array<byte, N> out{};
  const wire::result written = Codec::encode(sample, out);
  return Codec::size == N && written && written.used == N && out == golden &&
         Codec::decode(golden) == sample && Codec::extent(sample) == N;
}
template <order O, wire::placement P> using codec = wire::record<instruction, O, P>;
using wire::placement;
static_assert(trip<tracecodec::champsim::instruction_codec>(little));
static_assert(trip<codec<order::little, placement::packed>>(little));
static_assert(trip<codec<order::big, placement::packed>>(big));

TEST_CASE("ChampSim's record round-trips in both byte orders") {
  CHECK(trip<tracecodec::champsim::instruction_codec>(little));
  CHECK(trip<codec<order::little, placement::packed>>(little));
  CHECK(trip<codec<order::little, placement::natural>>(little));
  CHECK(trip<codec<order::big, placement::packed>>(big));
  CHECK(trip<codec<order::big, placement::natural>>(big));
}

TEST_CASE("ChampSim's record round-trips at every alignment") {
  using tracecodec::champsim::instruction_codec;
  for (std::size_t at = 0; at < 16; ++at) {
    std::array<byte, 64 + 16> buffer{};
    REQUIRE(instruction_codec::encode(sample, std::span(buffer).subspan(at)));
    instruction back{};
    CHECK(instruction_codec::decode(std::span(buffer).subspan(at), back).used == 64);
    CHECK(back == sample);
    CHECK(hex_of(std::span(buffer).subspan(at, 64)) == hex_of(little));
  }
}

// A struct with a single member is a record. std::byte, enumerations and bool are allowed as
// members.
struct one {
  std::uint16_t only;
};
static_assert(wire::record<one, order::big>::decode(hex<"1234">).only == 0x1234);

enum class kind : std::uint16_t { start = 0x0102 };
struct mixed {
  bool flag;
  kind what;
  byte raw;
  std::array<byte, 2> pair;
  char letter;
  float ratio;
  friend constexpr bool operator==(const mixed&, const mixed&) = default;
};
constexpr mixed mixed_sample{true, kind::start, byte{0xfe}, {byte{1}, byte{2}}, 'x', 1.0F};
constexpr auto mixed_golden = hex<"01 0102 fe 0102 78 3f800000">;
static_assert([] {
  mixed m{};
  return wire::record<mixed, order::big>::decode(mixed_golden, m) && m == mixed_sample;
}());

TEST_CASE("decodes and encodes bool, enumeration, std::byte, char and float members") {
  using codec = wire::record<mixed, order::big>;
  std::array<byte, codec::size> out{};
  CHECK(codec::encode(mixed_sample, out));
  CHECK(out == mixed_golden);
  mixed again{};
  CHECK(codec::decode(mixed_golden, again));
  CHECK(again == mixed_sample);
}

}  // namespace
