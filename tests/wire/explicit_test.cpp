// Tests explicit descriptions: several byte orders in one record, padding, members without
// bytes, narrowing.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::errc;
using wire::field;
using wire::order;

namespace {

struct entry {
  std::uint32_t native_to_record;
  std::uint32_t big;
  std::uint64_t narrow;
  std::int32_t byte_sized;
  std::uint16_t cache;
  std::array<std::uint16_t, 2> pair;
  friend constexpr bool operator==(const entry&, const entry&) = default;
};
using entry_codec = wire::record<
    wire::fields<wire::padding<1>, field<&entry::native_to_record>, field<&entry::big, wire::u32be>,
                 wire::padding<2>, field<&entry::narrow, wire::u16le>,
                 field<&entry::byte_sized, std::int8_t>, wire::not_on_wire<&entry::cache>,
                 field<&entry::pair, wire::array_of<wire::u16be, 2>>, wire::padding<3>>>;
static_assert(entry_codec::size == 1 + 4 + 4 + 2 + 2 + 1 + 4 + 3);

constexpr auto golden = hex<"00 04030201 01020304 0000 2211 fe 0001 0002 000000">;
constexpr auto noisy = hex<"aa 04030201 01020304 bbbb 2211 fe 0001 0002 cccccc">;
constexpr entry sample{0x01020304, 0x01020304, 0x1122, -2, 0, {1, 2}};

static_assert(entry_codec::decode(golden) == sample && entry_codec::decode(noisy) == sample);
static_assert([] {
  std::array<byte, entry_codec::size> out{};
  for (byte& b : out) b = byte{0xff};
  return entry_codec::encode(sample, out) && out == golden;
}());

TEST_CASE("byte orders can be mixed, and padding is skipped and written as zero") {
  CHECK(entry_codec::decode(noisy) == sample);
  std::array<byte, entry_codec::size> out{};
  out.fill(byte{0xff});
  CHECK(entry_codec::encode(sample, out).used == entry_codec::size);
  CHECK(out == golden);
}

TEST_CASE("a member that is not on the wire stays unchanged") {
  entry e = sample;
  e.cache = 0x1234;
  std::array<byte, entry_codec::size> out{};
  CHECK(entry_codec::encode(e, out));
  CHECK(out == golden);
  CHECK(entry_codec::decode(noisy, e));
  CHECK(e.cache == 0x1234);
}

TEST_CASE("refuses and names a field that is too narrow for its value") {
  std::array<byte, entry_codec::size> out{};
  const auto refused = [&](entry e, std::string_view name, std::size_t at) {
    const wire::result r = entry_codec::encode(e, out);
    CHECK(r.error == errc::does_not_fit);
    CHECK(r.field == name);
    CHECK(r.used == at);
    CHECK(out == std::array<byte, entry_codec::size>{});
  };
  entry e = sample;
  e.narrow = 0x10000;
  refused(e, "narrow", 11);
  e = sample;
  e.byte_sized = 128;
  refused(e, "byte_sized", 13);
  e.byte_sized = -129;
  refused(e, "byte_sized", 13);
  e.byte_sized = -128;
  CHECK(entry_codec::encode(e, out));
}

// Description in an order other than the struct's. Enumerations are stored as integers of another
// size.
enum class color : std::uint32_t { red = 1, deep = 0x100 };
struct shuffled {
  std::uint8_t a;
  color b;
  std::uint16_t c;
  friend constexpr bool operator==(const shuffled&, const shuffled&) = default;
};
using shuffled_codec =
    wire::record<wire::fields<field<&shuffled::c, wire::u16be>, field<&shuffled::a>,
                              field<&shuffled::b, wire::u8>>>;
static_assert(shuffled_codec::decode(hex<"0102 03 01">) == shuffled{3, color::red, 0x0102});
static_assert(shuffled_codec::offset_of<&shuffled::c> == 0);
static_assert(shuffled_codec::offset_of<&shuffled::b> == 3);

TEST_CASE("refuses an enumerator that does not fit its field") {
  std::array<byte, 4> out{};
  CHECK(shuffled_codec::encode({3, color::red, 0x0102}, out));
  CHECK(out == hex<"01020301">);
  const wire::result r = shuffled_codec::encode({3, color::deep, 0}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "b");
}

// Natural placement of explicit items, including bit slices and members without bytes.
struct spaced {
  std::uint8_t a;
  std::uint16_t note;
  std::uint32_t b;
  std::uint8_t c;
  std::uint8_t d;
};
using spaced_codec = wire::record<
    wire::fields<
        field<&spaced::a>, wire::not_on_wire<&spaced::note>, field<&spaced::b>,
        wire::bit_slices<std::uint16_t, wire::bits<&spaced::c, 8>, wire::bits<&spaced::d, 8>>>,
    order::little, wire::placement::natural>;
static_assert(spaced_codec::size == 12 && spaced_codec::alignment == 4);
static_assert(spaced_codec::offset_of<&spaced::b> == 4 && spaced_codec::offset_of<&spaced::d> == 8);

TEST_CASE("natural placement pads explicit items") {
  std::array<byte, 12> out{};
  out.fill(byte{0xff});
  CHECK(spaced_codec::encode({1, 9, 2, 3, 4}, out));
  CHECK(out == hex<"01000000 02000000 0403 0000">);
}

}  // namespace
