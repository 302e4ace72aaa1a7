// Tests bit slices, most significant first, with RapidBin's events from a real file.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::errc;
using wire::order;

namespace {

enum class operation : std::uint8_t {
  acquire,
  release,
  read,
  write,
  fork,
  join,
  begin,
  end,
  request
};

// sign 1 | location 15 | decor 34 | operation 4 | thread 10
struct event {
  bool sign;
  std::uint16_t location;
  std::uint64_t decor;
  operation op;
  std::uint16_t thread;
  friend constexpr bool operator==(const event&, const event&) = default;
};
using event_codec = wire::record<
    wire::fields<wire::bit_slices<std::uint64_t, wire::bits<&event::sign, 1>,
                                  wire::bits<&event::location, 15>, wire::bits<&event::decor, 34>,
                                  wire::bits<&event::op, 4>, wire::bits<&event::thread, 10>>>,
    order::big>;
static_assert(event_codec::size == 8);

struct sample {
  std::array<byte, 8> bytes;
  event fields;
};
// Events 0, 2, 3, 8, 11, 12, 100, 253 and 255: bytes from r250.data, fields from r250.dump.jsonl.
constexpr sample samples[] = {
    {hex<"0000000000000c00">, {false, 0, 0, operation::write, 0}},
    {hex<"0002000000008800">, {false, 2, 2, operation::read, 0}},
    {hex<"0003000000005000">, {false, 3, 1, operation::fork, 0}},
    {hex<"0008000000002001">, {false, 8, 0, operation::request, 1}},
    {hex<"000b000000000001">, {false, 11, 0, operation::acquire, 1}},
    {hex<"000c000000000401">, {false, 12, 0, operation::release, 1}},
    {hex<"002d00000005cc03">, {false, 45, 23, operation::write, 3}},
    {hex<"001f000000009401">, {false, 31, 2, operation::join, 1}},
    {hex<"003b000000005400">, {false, 59, 1, operation::join, 0}},
    // Written by hand from the specification: all ones, and the top and the bottom bit of each
    // slice.
    {hex<"ffffffffffffffff">, {true, 0x7fff, 0x3'ffff'ffff, operation{15}, 1023}},
    {hex<"8000000000000000">, {true, 0, 0, operation{0}, 0}},
    {hex<"4001000000000000">, {false, 0x4001, 0, operation{0}, 0}},
    {hex<"0000800000004000">, {false, 0, 0x2'0000'0001, operation{0}, 0}},
    {hex<"0000000000002600">, {false, 0, 0, operation{9}, 0x200}},
};

constexpr bool all_samples() {
  for (const sample& s : samples) {
    std::array<byte, 8> out{};
    if (event_codec::decode(s.bytes) != s.fields) return false;
    if (!event_codec::encode(s.fields, out) || out != s.bytes) return false;
  }
  return true;
}
static_assert(all_samples());

TEST_CASE("bit slices decode and encode RapidBin's events") {
  for (const sample& s : samples) {
    CAPTURE(hex_of(s.bytes));
    CHECK(event_codec::decode(s.bytes) == s.fields);
    CHECK(event_codec::get<&event::sign>(s.bytes) == s.fields.sign);
    CHECK(event_codec::get<&event::location>(s.bytes) == s.fields.location);
    CHECK(event_codec::get<&event::decor>(s.bytes) == s.fields.decor);
    CHECK(event_codec::get<&event::op>(s.bytes) == s.fields.op);
    CHECK(event_codec::get<&event::thread>(s.bytes) == s.fields.thread);
    std::array<byte, 8> out{};
    CHECK(event_codec::encode(s.fields, out).used == 8);
    CHECK(out == s.bytes);
  }
}

// A location of 40,000 does not fit 15 bits. encode names this field and writes nothing.
TEST_CASE("refuses a value that is too wide for its slice") {
  std::array<byte, 8> out{};
  const auto refused = [&](event e, std::string_view field) {
    const wire::result r = event_codec::encode(e, out);
    CHECK(r.error == errc::does_not_fit);
    CHECK(r.field == field);
    CHECK(r.used == 0);
    CHECK(out == std::array<byte, 8>{});
  };
  refused({false, 40'000, 0, operation::read, 0}, "location");
  refused({false, 0x8000, 0, operation::read, 0}, "location");
  refused({false, 0, 0x4'0000'0000, operation::read, 0}, "decor");
  refused({false, 0, ~std::uint64_t{0}, operation::read, 0}, "decor");
  refused({false, 0, 0, operation{16}, 0}, "op");
  refused({false, 0, 0, operation::read, 1024}, "thread");
  refused({false, 40'000, 0, operation::read, 1024}, "location");
}

// Slices of 8, 16 and 32 bits, some of them unused, in an order other than the record's.
struct packed_flags {
  std::uint8_t top;
  bool flag;
  std::uint16_t middle;
  std::uint32_t value;
  friend constexpr bool operator==(const packed_flags&, const packed_flags&) = default;
};
using flags_codec = wire::record<wire::fields<
    wire::bit_slices<std::uint8_t, wire::unused_bits<2>, wire::bits<&packed_flags::top, 5>,
                     wire::bits<&packed_flags::flag, 1>>,
    wire::bit_slices<wire::u16be, wire::bits<&packed_flags::middle, 12>, wire::unused_bits<4>>,
    wire::bit_slices<std::uint32_t, wire::bits<&packed_flags::value, 32>>>>;
static_assert(flags_codec::size == 7);
// 11 10101 1 | abc, d | 04030201: decode skips the unused bits, and encode writes them as
// zero.
static_assert(flags_codec::decode(hex<"eb abcd 04030201">) ==
              packed_flags{0x15, true, 0xabc, 0x01020304});

TEST_CASE("unused bits are skipped when decoding and zero when encoding") {
  std::array<byte, 7> out{};
  CHECK(flags_codec::encode({0x15, true, 0xabc, 0x01020304}, out));
  CHECK(out == hex<"2b abc0 04030201">);
  const wire::result r = flags_codec::encode({0x15, true, 0x1000, 0}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "middle");
  CHECK(r.used == 1);
}

TEST_CASE("every value of every slice round-trips") {
  random_numbers next{2};
  for (int i = 0; i < 2000; ++i) {
    const auto bytes = next.bytes<8>();
    std::array<byte, 8> out{};
    REQUIRE(event_codec::encode(event_codec::decode(bytes), out));
    REQUIRE(out == bytes);
  }
}

}  // namespace
