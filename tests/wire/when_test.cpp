// Tests conditional fields: present, absent, and several under one condition. Absent fields leave
// their members unchanged.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>

#include <algorithm>
#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::errc;
using wire::field;
using wire::section;
using wire::when;

namespace {

struct sample {
  std::uint8_t flags{};
  std::uint32_t thread{};
  std::uint16_t first{};
  std::uint16_t second{};
  std::uint8_t low{};
  std::uint8_t high{};
  std::uint8_t last{};
  constexpr bool has_pair() const { return (flags & 2) != 0; }
  friend constexpr bool operator==(const sample&, const sample&) = default;
};
constexpr auto has_thread = [](const sample& s) { return (s.flags & 1) != 0; };
constexpr auto has_slices = [](const sample& s) { return (s.flags & 4) != 0; };
using codec = wire::record<wire::fields<
    section<field<&sample::flags>>,
    section<when<has_thread, field<&sample::thread>>,
            when<&sample::has_pair, field<&sample::first, wire::u16be>, wire::padding<1>,
                 field<&sample::second>>,
            when<has_slices, wire::bit_slices<std::uint8_t, wire::bits<&sample::high, 4>,
                                              wire::bits<&sample::low, 4>>>,
            field<&sample::last>>>>;
static_assert(!codec::fixed);

struct example {
  std::vector<byte> bytes;
  sample fields;
};
template <std::size_t N> example make(const std::array<byte, N>& a, sample s) {
  return {std::vector<byte>(a.begin(), a.end()), s};
}
const example examples[] = {
    make(hex<"00 99">, {0, 0, 0, 0, 0, 0, 0x99}),
    make(hex<"01 04030201 99">, {1, 0x01020304, 0, 0, 0, 0, 0x99}),
    make(hex<"02 0102 00 0403 99">, {2, 0, 0x0102, 0x0304, 0, 0, 0x99}),
    make(hex<"04 ab 99">, {4, 0, 0, 0, 0xb, 0xa, 0x99}),
    make(hex<"07 04030201 0102 00 0403 ab 99">, {7, 0x01020304, 0x0102, 0x0304, 0xb, 0xa, 0x99}),
};

TEST_CASE("decodes conditional fields that are present or absent") {
  for (const example& e : examples) {
    CAPTURE(hex_of(e.bytes));
    sample s{};
    const wire::result r = codec::decode(e.bytes, s);
    CHECK(r);
    CHECK(r.used == e.bytes.size());
    CHECK(s == e.fields);
    CHECK(codec::extent(s) == e.bytes.size());
    std::vector<byte> out(e.bytes.size(), byte{0xff});
    CHECK(codec::encode(s, out).used == out.size());
    CHECK(out == e.bytes);
  }
}

TEST_CASE("absent fields keep the values of an earlier record") {
  sample s{};
  REQUIRE(codec::decode(hex<"07 04030201 0102 00 0403 ab 99">, s));
  REQUIRE(codec::decode(hex<"00 77">, s));
  CHECK(s == sample{0, 0x01020304, 0x0102, 0x0304, 0xb, 0xa, 0x77});
}

TEST_CASE("the value of an absent field need not fit") {
  std::vector<byte> out(2);
  CHECK(codec::encode({0, 0, 0, 0, 0xff, 0xff, 1}, out));
  CHECK(hex_of(out) == "0001");
  out.assign(3, byte{0});
  const wire::result r = codec::encode({4, 0, 0, 0, 0xff, 0, 1}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "low");
  CHECK(r.used == 1);
}

TEST_CASE("names the field in which the input ends, also under a condition") {
  const auto bytes = hex<"07 04030201 0102 00 0403 ab 99">;
  struct where {
    std::size_t from;
    std::string_view field;
  };
  // Element k is the field that contains byte k, and the field's offset, for an input that ends
  // before byte k.
  const where expected[] = {{0, "flags"},  {1, "thread"}, {1, "thread"}, {1, "thread"},
                            {1, "thread"}, {5, "first"},  {5, "first"},  {7, "(padding)"},
                            {8, "second"}, {8, "second"}, {10, "high"},  {11, "last"}};
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    CAPTURE(n);
    sample s{};
    const wire::result r = codec::decode(std::span(bytes).first(n), s);
    CHECK(r.error == errc::truncated);
    CHECK(r.used == expected[n].from);
    CHECK(r.field == expected[n].field);
  }
  sample s{};
  REQUIRE(codec::decode(bytes, s));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    CAPTURE(n);
    std::vector<byte> out(n, byte{0xff});
    const wire::result r = codec::encode(s, out);
    CHECK(r.error == errc::no_space);
    CHECK(r.used == expected[n].from);
    CHECK(r.field == expected[n].field);
    CHECK(out == std::vector<byte>(n, byte{0xff}));
  }
}

// Narrow field after a wide one under one condition. The error must name the narrow field.
struct two {
  bool there{};
  std::uint32_t wide{};
  std::uint32_t narrow{};
};
using two_codec = wire::record<
    wire::fields<section<field<&two::there>>,
                 section<when<&two::there, field<&two::wide>, field<&two::narrow, wire::u8>>>>>;

TEST_CASE("names the value that does not fit, also under a condition") {
  std::array<byte, 6> out{};
  CHECK(two_codec::encode({true, 0, 255}, out));
  const wire::result r = two_codec::encode({true, 0, 256}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "narrow");
  CHECK(r.used == 5);
  CHECK(two_codec::encode({false, 0, 256}, out).used == 1);
}

// Conditions inside conditions.
struct deep {
  std::uint8_t flags{};
  std::uint8_t a{};
  std::uint8_t b{};
  friend constexpr bool operator==(const deep&, const deep&) = default;
};
constexpr auto outer = [](const deep& d) { return (d.flags & 1) != 0; };
constexpr auto inner = [](const deep& d) { return (d.flags & 2) != 0; };
using deep_codec =
    wire::record<wire::fields<section<field<&deep::flags>>,
                              section<when<outer, field<&deep::a>, when<inner, field<&deep::b>>>>>>;
constexpr bool deep_trip() {
  deep d{};
  if (deep_codec::decode(hex<"03 11 22">, d).used != 3 || d != deep{3, 0x11, 0x22}) return false;
  d = {};
  if (deep_codec::decode(hex<"02 11 22">, d).used != 1 || d != deep{2, 0, 0}) return false;
  return deep_codec::decode(hex<"01 11 22">, d).used == 2 && d == deep{1, 0x11, 0};
}
static_assert(deep_trip());
TEST_CASE("conditions can be nested") { CHECK(deep_trip()); }

// Fields that versions 2 and 5 added.
struct versioned {
  std::uint16_t version{}, size{}, flags{};
  std::uint32_t owner{};
  friend constexpr bool operator==(const versioned&, const versioned&) = default;
};
using versioned_codec = wire::record<
    wire::fields<field<&versioned::version>, field<&versioned::size>,
                 wire::when<wire::at_least<&versioned::version, 2>, field<&versioned::flags>>,
                 wire::when<wire::at_least<&versioned::version, 5>, field<&versioned::owner>>>>;
TEST_CASE("fields may depend on the version") {
  const auto all = hex<"0000 0201 0403 08070605">;
  const struct {
    std::uint16_t version;
    std::size_t size;
    versioned is;
  } cases[] = {{0, 4, {0, 0x102, 0, 0}},
               {1, 4, {1, 0x102, 0, 0}},
               {2, 6, {2, 0x102, 0x304, 0}},
               {4, 6, {4, 0x102, 0x304, 0}},
               {5, 10, {5, 0x102, 0x304, 0x5060708}},
               {0xffff, 10, {0xffff, 0x102, 0x304, 0x5060708}}};
  for (const auto& c : cases) {
    CAPTURE(c.version);
    auto bytes = all;
    bytes[0] = static_cast<byte>(c.version & 0xff);
    bytes[1] = static_cast<byte>(c.version >> 8);
    versioned v{};
    CHECK(versioned_codec::decode(std::span(bytes).first(c.size), v).used == c.size);
    CHECK(v == c.is);
    std::array<byte, 10> out{};
    CHECK(versioned_codec::encode(v, out).used == c.size);
    CHECK(
        std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(c.size), bytes.begin()));
    const auto cut = versioned_codec::decode(std::span(bytes).first(c.size - 1), v);
    CHECK(cut.error == errc::truncated);
    CHECK(cut.field == (c.version < 2 ? "size" : c.version < 5 ? "flags" : "owner"));
  }
}

struct part {
  bool there{};
  std::uint8_t n{};
  wire::array_view<wire::u8> data;
  bool more{};
  std::uint16_t value{};
};
using part_codec = wire::record<wire::fields<
    field<&part::there>, when<&part::there, field<&part::n>, wire::counted<&part::data, &part::n>,
                              field<&part::more>, when<&part::more, field<&part::value>>>>>;

TEST_CASE("a conditional item may depend on earlier items under the same condition") {
  part p{};
  REQUIRE(part_codec::decode(hex<"01 02 aabb 01 3412">, p).used == 7);
  CHECK(p.data.size() == 2);
  CHECK(p.value == 0x1234);
  std::array<byte, 7> out{};
  REQUIRE(part_codec::encode(p, out).used == 7);
  CHECK(hex_of(out) == "0102aabb013412");
  CHECK(part_codec::decode(hex<"00 02">, p).used == 1);
  const auto cut = part_codec::decode(hex<"01 02 aa">, p);
  CHECK(cut.error == errc::truncated);
  CHECK(cut.field == "data");
  CHECK(cut.used == 2);
}

}  // namespace
