// Tests records inside records, arrays of records, and records of another byte order inside a
// record.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/rules/constant.hpp>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::order;

namespace {

struct range {
  std::uint32_t first;
  std::uint16_t length;
  friend constexpr bool operator==(const range&, const range&) = default;
};
struct table {
  std::uint8_t version;
  range code;
  std::array<range, 2> data;
  std::array<std::array<std::uint16_t, 2>, 2> grid;
  friend constexpr bool operator==(const table&, const table&) = default;
};

constexpr table sample{
    7, {0x01020304, 0x0506}, {{{0x11121314, 0x1516}, {0x21222324, 0x2526}}}, {{{1, 2}, {3, 4}}}};
// struct.pack('<B IH IH IH 4H'), then with '>', and then natural, padded by hand according to
// the C rule.
constexpr auto little = hex<"07 04030201 0605 14131211 1615 24232221 2625 0100 0200 0300 0400">;
constexpr auto big = hex<"07 01020304 0506 11121314 1516 21222324 2526 0001 0002 0003 0004">;
constexpr auto natural =
    hex<"07000000 0403020106050000 1413121116150000 2423222126250000 0100020003000400">;

template <class Codec, std::size_t N> constexpr bool trip(const std::array<byte, N>& golden) {
  std::array<byte, N> out{};
  for (byte& b : out) b = byte{0xcc};
  return Codec::size == N && Codec::encode(sample, out) && out == golden &&
         Codec::decode(golden) == sample;
}
using natural_codec = wire::record<table, order::little, wire::placement::natural>;
static_assert(trip<wire::record<table>>(little));
static_assert(trip<wire::record<table, order::big>>(big));
static_assert(trip<natural_codec>(natural));

TEST_CASE("nested records and arrays of records use the outer record's policy") {
  CHECK(trip<wire::record<table>>(little));
  CHECK(trip<wire::record<table, order::big>>(big));
  CHECK(trip<natural_codec>(natural));
}
static_assert(natural_codec::alignment == 4 && natural_codec::offset_of<&table::data> == 12);

// A nested record may have its own byte order if a wire type is specified.
struct message {
  std::uint16_t id;
  range where;
  friend constexpr bool operator==(const message&, const message&) = default;
};
using message_codec =
    wire::record<wire::fields<wire::field<&message::id>,
                              wire::field<&message::where, wire::record<range, order::big>>>>;
constexpr auto message_golden = hex<"0201 01020304 0506">;
static_assert(message_codec::decode(message_golden) == message{0x0102, {0x01020304, 0x0506}});

// A nested value that does not fit its field is rejected, also in an array.
struct slim {
  std::uint32_t value;
};
using slim_codec = wire::record<wire::fields<wire::field<&slim::value, wire::u8>>>;
struct slims {
  std::uint8_t before;
  slim one;
  std::array<slim, 2> two;
};
using slims_codec =
    wire::record<wire::fields<wire::field<&slims::before>, wire::field<&slims::one, slim_codec>,
                              wire::field<&slims::two, wire::array_of<slim_codec, 2>>>>;

TEST_CASE("refuses a nested value that does not fit") {
  std::array<byte, 4> out{};
  CHECK(slims_codec::encode({1, {2}, {{{3}, {255}}}}, out));
  CHECK(out == hex<"010203ff">);
  const wire::result in_array = slims_codec::encode({1, {2}, {{{3}, {256}}}}, out);
  CHECK(in_array.error == wire::errc::does_not_fit);
  CHECK(in_array.used == 2);
  CHECK(in_array.field == "two");
  const wire::result in_record = slims_codec::encode({1, {256}, {{{3}, {256}}}}, out);
  CHECK(in_record.error == wire::errc::does_not_fit);
  CHECK(in_record.used == 1);
  CHECK(in_record.field == "one");
}

// Record that allows only some values.
struct kind {
  std::uint8_t value;
};
using kind_codec = wire::record<wire::fields<wire::one_of<&kind::value, 1, 2>>>;
struct kinds {
  kind one;
  std::array<kind, 2> two;
};
using kinds_codec =
    wire::record<wire::fields<wire::field<&kinds::one, kind_codec>,
                              wire::field<&kinds::two, wire::array_of<kind_codec, 2>>>>;

TEST_CASE("encode and decode refuse invalid nested records with the same error") {
  std::array<byte, 3> out{};
  CHECK(kinds_codec::encode({{1}, {{{2}, {1}}}}, out));
  CHECK(kinds_codec::encode({{3}, {{{2}, {1}}}}, out).error == wire::errc::invalid_value);
  CHECK(kinds_codec::encode({{1}, {{{2}, {3}}}}, out).error == wire::errc::invalid_value);
  kinds k{};
  CHECK(kinds_codec::decode(hex<"03 02 01">, k).error == wire::errc::invalid_value);
  CHECK(kinds_codec::decode(hex<"01 02 03">, k).error == wire::errc::invalid_value);
}

TEST_CASE("nested records decode from unaligned bytes") {
  for (std::size_t at = 0; at < 8; ++at) {
    std::array<byte, natural.size() + 8> buffer{};
    for (std::size_t i = 0; i < natural.size(); ++i) buffer[at + i] = natural[i];
    table t{};
    CHECK(natural_codec::decode(std::span(buffer).subspan(at), t));
    CHECK(t == sample);
  }
}

}  // namespace
