// Tests in_struct_order<>: members are plain fields in the order of the struct, and items replace
// the members that they mention. The expected bytes are written by hand.
#include <doctest/doctest.h>
#include <tracecodec/wire.hpp>

#include <algorithm>
#include <string>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::errc;
using wire::order;

namespace {

std::string table_of(auto rows) {
  std::string s;
  wire::print_table(rows, [&s](std::string_view part) { s += part; });
  return s;
}

// Members of several types, with an item at the front, in the middle and at the end.
struct header {
  std::array<char, 2> magic;
  std::uint16_t version;
  std::array<std::uint8_t, 2> tags;
  bool first, second;
  std::uint8_t low;
  std::uint32_t size;
  std::int8_t last;
  friend constexpr bool operator==(const header&, const header&) = default;
};
using header_codec =
    wire::record<wire::in_struct_order<
                     header, wire::constant<&header::magic, "HD">,
                     wire::bit_slices<std::uint8_t, wire::bits<&header::first>,
                                      wire::bits<&header::second>, wire::bits<&header::low, 6>>,
                     wire::in_range<&header::last, -1, 1>>,
                 order::big>;
constexpr header sample{{'H', 'D'}, 0x0102, {3, 4}, true, false, 5, 0x06070809, -1};
constexpr auto sample_bytes = hex<"4844 0102 03 04 85 06070809 ff">;

static_assert(header_codec::fixed && header_codec::size == 12);
static_assert(header_codec::offset_of<&header::magic> == 0);
static_assert(header_codec::offset_of<&header::tags> == 4);
static_assert(header_codec::offset_of<&header::size> == 7);
static_assert(header_codec::slice_of<&header::low> == wire::slice{6, 0, 6});
static_assert(header_codec::get<&header::size>(sample_bytes) == 0x06070809);

TEST_CASE("plain members and items lie in the order of the struct") {
  header h{};
  REQUIRE(header_codec::decode(sample_bytes, h));
  CHECK(h == sample);
  std::array<byte, 12> out{};
  REQUIRE(header_codec::encode(sample, out));
  CHECK(hex_of(out) == hex_of(sample_bytes));

  std::string names;
  header_codec::walk(h, [&names](std::string_view name, const auto&) { (names += name) += ' '; });
  CHECK(names == "magic version tags first second low size last ");
}

TEST_CASE("a refused value of an item names its member") {
  auto bytes = sample_bytes;
  bytes[11] = byte{2};
  header h{};
  const auto r = header_codec::decode(bytes, h);
  CHECK(r.error == errc::invalid_value);
  CHECK(r.field == "last");
  CHECK(r.used == 11);
}

// The order of a wire type inside an item differs from the order of the record.
struct mixed {
  std::uint16_t a, b, c;
};
using mixed_codec =
    wire::record<wire::in_struct_order<mixed, wire::field<&mixed::b, wire::u16le>>, order::big>;

TEST_CASE("a plain member has the order of the record, and an item may have another") {
  const auto bytes = hex<"0001 0200 0003">;
  const mixed m = mixed_codec::decode(bytes);
  CHECK(m.a == 1);
  CHECK(m.b == 2);
  CHECK(m.c == 3);
}

// Items without a member stand beside those that have one.
struct framed {
  std::uint8_t kind;
  std::uint16_t size;
  wire::array_view<wire::u8> data;
};
using framed_codec = wire::record<wire::in_struct_order<
    framed, wire::at<wire::literal<"<<">, wire::field<&framed::kind>, wire::padding<1>>,
    wire::computed<&framed::size, wire::size_of<&framed::data>>,
    wire::at<wire::literal<":">, wire::counted<&framed::data, &framed::size>, wire::align<4>,
             wire::literal<">">>>>;

TEST_CASE("at<> puts several items at the place of a member") {
  // "<<", kind 7, padding, size 3, ":", three bytes, padding up to offset 12, ">"
  const auto bytes = hex<"3c3c 07 00 0300 3a aabbcc 0000 3e">;
  framed f{};
  const auto read = framed_codec::decode(bytes, f);
  REQUIRE(read);
  CHECK(read.used == bytes.size());
  CHECK(f.kind == 7);
  CHECK(f.size == 3);
  CHECK(std::ranges::equal(f.data, std::array{0xaa, 0xbb, 0xcc}));
  std::array<byte, 16> out{};
  f.size = 0;
  const auto written = framed_codec::encode(f, out);
  REQUIRE(written);
  CHECK(hex_of(std::span(out).first(written.used)) == hex_of(bytes));
}

// An item may mention several members: parts, alternatives and conditional items.
enum class kind : std::uint8_t { text = 1, number = 2 };
struct event {
  kind what;
  std::uint16_t size;
  std::uint64_t number;
  wire::array_view<wire::character> text;
  bool has_more;
  std::uint8_t more;
  std::uint8_t end;
};
using event_codec = wire::record<wire::in_struct_order<
    event, wire::computed<&event::size, wire::extent_of<wire::sized_by<&event::size>>>,
    wire::sized<&event::size,
                wire::choice<&event::what, wire::on<kind::number, wire::leb128<&event::number>>,
                             wire::on<kind::text, wire::terminated<&event::text>>>>,
    wire::when<&event::has_more, wire::field<&event::more>>>>;
using listed_codec = wire::record<wire::fields<
    wire::field<&event::what>,
    wire::computed<&event::size, wire::extent_of<wire::sized_by<&event::size>>>,
    wire::sized<&event::size,
                wire::choice<&event::what, wire::on<kind::number, wire::leb128<&event::number>>,
                             wire::on<kind::text, wire::terminated<&event::text>>>>,
    wire::field<&event::has_more>, wire::when<&event::has_more, wire::field<&event::more>>,
    wire::field<&event::end>>>;

TEST_CASE("an item that mentions several members stands at the place of the first one") {
  // number 300 in two bytes, more
  event e{};
  REQUIRE(event_codec::decode(hex<"02 0200 ac02 01 09 ee">, e));
  CHECK(e.number == 300);
  CHECK(e.more == 9);
  CHECK(e.end == 0xee);
  // "ab" and its NUL, no more
  REQUIRE(event_codec::decode(hex<"01 0300 616200 00 ef">, e));
  CHECK(wire::as_text(e.text) == "ab");
  CHECK(!e.has_more);
  CHECK(e.end == 0xef);
  std::array<byte, 16> out{};
  const auto written = event_codec::encode(e, out);
  REQUIRE(written);
  CHECK(hex_of(std::span(out).first(written.used)) ==
        "010300616200"
        "00ef");
}

TEST_CASE("the layout table is that of a list of all fields") {
  CHECK(table_of(event_codec::layout()) == table_of(listed_codec::layout()));
}

// The alternatives of a choice among plain members have records of their own.
struct tagged {
  kind what;
  std::uint16_t id;
  std::uint8_t letter;
  std::uint32_t number;
};
using tagged_codec = wire::record<wire::in_struct_order<
    tagged, wire::choice<&tagged::what, wire::on<kind::text, wire::field<&tagged::letter>>,
                         wire::on<kind::number, wire::field<&tagged::number>>>>>;
static_assert(wire::chosen<tagged_codec, kind::text>::size == 4);
static_assert(wire::chosen<tagged_codec, kind::number>::offset_of<&tagged::number> == 3);
static_assert(wire::chosen_with<tagged_codec, &tagged::number>::size == 7);

// Members without bytes may be named anywhere, and determine no place.
struct part {
  std::uint8_t a;
  std::uint32_t note;
  std::uint8_t count;
  wire::array_view<wire::u8> values;
};
using part_codec = wire::record<
    wire::in_struct_order<part, wire::counted<&part::values, &part::count>,
                          wire::parameter<&part::count>, wire::not_on_wire<&part::note>>>;
static_assert(part_codec::parameters == 1);

TEST_CASE("members without bytes may be named in any order") {
  part p{};
  p.count = 2;
  p.note = 77;
  const auto r = part_codec::decode(hex<"05 0607">, p);
  REQUIRE(r);
  CHECK(r.used == 3);
  CHECK(p.a == 5);
  CHECK(p.values[1] == 7);
  CHECK(p.note == 77);
}

// A member without bytes may lie between the members of an item.
struct apart {
  std::uint8_t a, note, b, c;
};
using apart_codec = wire::record<wire::in_struct_order<
    apart, wire::bit_slices<std::uint8_t, wire::bits<&apart::a, 4>, wire::bits<&apart::b, 4>>,
    wire::not_on_wire<&apart::note>>>;
// Such a member does not determine the place of an item that reads another one.
using early_codec = wire::record<wire::in_struct_order<
    apart, wire::when<&apart::a, wire::not_on_wire<&apart::note>, wire::field<&apart::c>>>>;
TEST_CASE("a member without bytes may lie between the members of an item") {
  const apart a = apart_codec::decode(hex<"21 03">);
  CHECK(a.a == 2);
  CHECK(a.b == 1);
  CHECK(a.c == 3);

  apart e{};
  REQUIRE(early_codec::decode(hex<"01 05 06">, e));
  CHECK(e.b == 5);
  CHECK(e.c == 6);
}

// Without items, the description is the struct.
static_assert(wire::record<wire::in_struct_order<mixed>>::size == wire::record<mixed>::size);
static_assert(wire::record<wire::in_struct_order<mixed>>::object_layout ==
              wire::record<mixed>::object_layout);

// Natural placement: `b` is aligned to 4 bytes, and the tail is padded.
struct aligned {
  std::uint8_t a;
  std::uint32_t b;
  std::uint8_t c;
};
using aligned_codec = wire::record<wire::in_struct_order<aligned, wire::one_of<&aligned::a, 1, 2>>,
                                   order::little, wire::placement::natural>;
static_assert(aligned_codec::size == 12 && aligned_codec::offset_of<&aligned::b> == 4);

TEST_CASE("natural placement applies to plain members, too") {
  aligned a{};
  REQUIRE(aligned_codec::decode(hex<"02 000000 04030201 09 000000">, a));
  CHECK(a.b == 0x01020304);
  CHECK(a.c == 9);
}

// A template's struct, and a pointer whose width depends on the target.
template <wire::target T> struct segment {
  std::uint16_t flags;
  wire::word_t<T> base;
};
template <wire::target T, class S = segment<T>> using segment_codec =
    wire::record<wire::in_struct_order<S, wire::in_range<&S::flags, 0, 3>>, order::little,
                 wire::placement::packed, T>;
static_assert(segment_codec<wire::target::x86>::size == 6);
static_assert(segment_codec<wire::target::x64>::size == 10);

// A nested struct without a description of its own.
struct outer {
  mixed inside;
  std::uint8_t n;
};
using outer_codec =
    wire::record<wire::in_struct_order<outer, wire::constant<&outer::n, 7>>, order::big>;
TEST_CASE("a plain member may be a struct") {
  outer o{};
  REQUIRE(outer_codec::decode(hex<"0001 0002 0003 07">, o));
  CHECK(o.inside.c == 3);
  std::array<byte, 7> out{};
  REQUIRE(outer_codec::encode(o, out));
  CHECK(hex_of(out) == "00010002000307");
}

// Slices without a width: one bit of a bool, all bits of any other member.
struct packed {
  bool a;
  std::uint8_t b;
  enum class state : std::uint8_t { off, on } c;
};
using packed_codec = wire::record<
    wire::in_struct_order<
        packed, wire::bit_slices<std::uint32_t, wire::bits<&packed::a>, wire::unused_bits<15>,
                                 wire::bits<&packed::b>, wire::bits<&packed::c>>>,
    order::big>;
TEST_CASE("a bit slice without a width has that of its member") {
  const packed p = packed_codec::decode(hex<"80 00 12 01">);
  CHECK(p.a);
  CHECK(p.b == 0x12);
  CHECK(p.c == packed::state::on);
}

}  // namespace
