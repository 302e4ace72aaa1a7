// Tests bit slices of a varint, and of words that are not in the record's byte order.
#include <tracecodec/wire.hpp>
#include <tracecodec/wire/columns/columns.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Field of a Protocol Buffers message: the tag is a varint of the field's number and its wire type
// (Encoding, "Message Structure").
enum class wire_type : std::uint8_t { varint = 0, i64 = 1, len = 2, i32 = 5 };
struct field {
  std::uint32_t number;
  wire_type type;
  std::uint64_t value;
  wire::array_view<wire::character> text;
};
using field_codec = wire::record<wire::fields<
    wire::bit_slices<wire::uleb128_of<std::uint32_t>, wire::bits<&field::number, 29>,
                     wire::bits<&field::type, 3>>,
    wire::choice<
        &field::type, wire::on<wire_type::varint, wire::leb128<&field::value>>,
        wire::on<wire_type::len, wire::prefixed<&field::text, wire::uleb128_of<std::uint32_t>>>>>>;
static_assert(!field_codec::fixed);

// All kinds of slices, from the least significant bit, in a number whose first byte is the most
// significant one (Standard MIDI Files). 28 bits are as many as 4 bytes hold.
struct mixed {
  std::uint16_t low;
  bool flag;
  std::uint8_t count;
  wire::array_view<wire::u8> data;
  std::uint8_t end;
};
using mixed_codec = wire::record<wire::fields<
    wire::bits_from_low<wire::vlq_of<std::uint32_t>, wire::bits<&mixed::low, 10>,
                        wire::constant_bits<2, 1>, wire::bits<&mixed::flag, 1>,
                        wire::computed_bits<&mixed::count, 8, wire::size_of<&mixed::data>>,
                        wire::unused_bits<7>, wire::constant_bits<4>>,
    wire::counted<&mixed::data, &mixed::count>, wire::field<&mixed::end>>>;

// Size of a part, in a slice of a varint that becomes longer as the size grows. The record's size
// includes the varint.
struct grown {
  std::uint8_t kind;
  std::uint16_t size;
  std::uint16_t all;
  wire::array_view<wire::u8> data;
};
using grown_codec = wire::record<wire::fields<
    wire::bit_slices<
        wire::uleb128_of<std::uint16_t>,
        wire::computed_bits<&grown::size, 13, wire::extent_of<wire::sized_by<&grown::size>>>,
        wire::bits<&grown::kind, 3>>,
    wire::computed<&grown::all, wire::extent_of<>>,
    wire::sized<&grown::size, wire::rest<&grown::data>>>>;

// A computed slice of a word of fixed size, inside another part. A condition precedes the slice.
struct boxed {
  std::uint8_t outer, kind;
  std::uint16_t size;
  wire::array_view<wire::u8> data;
  bool more;
  std::uint8_t again;
};
using boxed_codec = wire::record<wire::fields<wire::sized<
    wire::prefix<&boxed::outer>,
    wire::bit_slices<
        wire::u16be,
        wire::computed_bits<&boxed::size, 12, wire::extent_of<wire::sized_by<&boxed::size>>>,
        wire::bits<&boxed::kind, 4>>,
    wire::sized<&boxed::size, wire::rest<&boxed::data>>, wire::field<&boxed::more>,
    wire::when<&boxed::more,
               wire::bit_slices<std::uint8_t,
                                wire::computed_bits<&boxed::again, 5, wire::size_of<&boxed::data>>,
                                wire::unused_bits<3>>>>>>;

// Words in either byte order, and of 24 bits, in a little-endian record.
struct words {
  std::uint8_t a;
  std::uint8_t b;
  std::uint16_t c;
  std::uint8_t d;
  std::uint16_t e;
  bool f;
};
using words_codec = wire::record<
    wire::fields<wire::bit_slices<wire::u16be, wire::bits<&words::a, 4>, wire::bits<&words::c, 12>>,
                 wire::bits_from_low<wire::u16be, wire::bits<&words::b, 4>, wire::unused_bits<12>>,
                 wire::bits_from_low<wire::integer_of<std::uint32_t, 3, wire::order::big>,
                                     wire::bits<&words::d, 8>, wire::bits<&words::e, 15>,
                                     wire::bits<&words::f, 1>>>>;

}  // namespace

TEST_CASE("a tag of Protocol Buffers is one varint of two values") {
  // The documentation's examples: 08 96 01 is field 1 with the value 150, and 12 07 ... is field 2
  // with the text "testing".
  const field one = comes_back<field_codec>(hex<"08 9601">);
  CHECK(one.number == 1);
  CHECK(one.value == 150);
  const field two = comes_back<field_codec>(hex<"12 07 74657374696e67">);
  CHECK(two.number == 2);
  CHECK(two.type == wire_type::len);
  CHECK(wire::as_text(two.text) == "testing");
  // Field 536870911, the greatest number.
  CHECK(comes_back<field_codec>(hex<"f8ffffff0f 00">).number == 536870911);
  using r = refusal;
  CHECK(refused<field_codec>(hex<"f8ffffff1f 00">) == r{errc::malformed, "number", 0});
  CHECK(refused<field_codec>(hex<"f8ff">) == r{errc::truncated, "number", 0});
  CHECK(refused<field_codec>(hex<"0f">) == r{errc::invalid_value, "type", 0});
  field wide = one;
  wide.number = 1U << 29;
  std::array<byte, 16> out{};
  const auto w = field_codec::encode(wide, out);
  CHECK(w.error == errc::does_not_fit);
  CHECK(w.field == "number");
}

TEST_CASE("all kinds of slices of a varint") {
  // low 0x155, constant 1, flag 1, count 2: 0x2 << 13 | 1 << 12 | 1 << 10 | 0x155 = 0x5555.
  const mixed m = comes_back<mixed_codec>(hex<"81aa55 aabb 07">);
  CHECK(m.low == 0x155);
  CHECK(m.flag);
  CHECK(m.count == 2);
  CHECK(m.data.size() == 2);
  // 0x5155 has 0 in the two constant bits; bit 28 is one of the upper constant bits.
  CHECK(refused<mixed_codec>(hex<"81a255 aabb 07">) == refusal{errc::invalid_value, "reserved", 0});
  CHECK(refused<mixed_codec>(hex<"8180 81aa55 aabb 07">).error == errc::invalid_value);
  std::vector<std::string> names;
  mixed_codec::walk(m, [&](std::string_view name, const auto&) { names.emplace_back(name); });
  CHECK(names == std::vector<std::string>{"count", "flag", "low", "data", "end"});
}

TEST_CASE("a size in a slice of a varint is computed") {
  // 3 << 3 | 5.
  CHECK(comes_back<grown_codec>(hex<"1d 0600 010203">).size == 3);
  CHECK(refused<grown_codec>(hex<"1d 0700 010203">) == refusal{errc::not_as_computed, "all", 1});
  for (const std::size_t n : {15U, 16U, 2047U, 2048U, 8191U}) {
    std::vector<byte> data(n), out(9000);
    grown g{1, 0, 0, wire::array_view<wire::u8>(data)};
    const auto r = grown_codec::encode(g, out);
    CHECK(r.error == errc::ok);
    const std::size_t bytes = n < 16 ? 1 : n < 2048 ? 2 : 3;
    CHECK(r.used == bytes + 2 + n);
    grown back{};
    CHECK(grown_codec::decode(std::span(out).first(r.used), back).used == r.used);
    CHECK(back.size == n);
    CHECK(back.all == r.used);
  }
  std::vector<byte> data(8192), out(9000);
  const auto r = grown_codec::encode(grown{1, 0, 0, wire::array_view<wire::u8>(data)}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "size");
}

TEST_CASE("a size in a slice of a word is computed") {
  const boxed b = comes_back<boxed_codec>(hex<"06 0025 aabb 01 10">);
  CHECK(b.size == 2);
  CHECK(b.again == 2);
  comes_back<boxed_codec>(hex<"05 0025 aabb 00">);
  CHECK(refused<boxed_codec>(hex<"06 0025 aabb 01 08">) ==
        refusal{errc::not_as_computed, "again", 6});
  CHECK(refused<boxed_codec>(hex<"06 0035 aabb 01 10">) == refusal{errc::invalid_value, "more", 6});
  boxed other = b;
  other.size = other.again = 0;
  std::array<byte, 7> out{};
  CHECK(boxed_codec::encode(other, out).used == 7);
  CHECK(hex_of(out) == "060025aabb0110");
}

TEST_CASE("slices of words in either byte order, and of 24 bits") {
  const words w = comes_back<words_codec>(hex<"a123 0007 81e0f0">);
  CHECK(w.a == 0xa);
  CHECK(w.c == 0x123);
  CHECK(w.b == 7);
  CHECK(w.d == 0xf0);
  CHECK(w.e == 0x1e0);
  CHECK(w.f);
  CHECK(words_codec::get<&words::e>(hex<"a123 0007 81e0f0">) == 0x1e0);
  const auto two = hex<"a123 0007 81e0f0  5fff 000f 7fff01">;
  std::array<std::uint8_t, 2> d{};
  std::array<std::uint16_t, 2> e{};
  using some = wire::columns<words_codec, &words::d, &words::e>;
  CHECK(some::decode(wire::array_view<words_codec>(two), d, e).records == 2);
  CHECK(d == std::array<std::uint8_t, 2>{0xf0, 1});
  CHECK(e == std::array<std::uint16_t, 2>{0x1e0, 0x7fff});
}

TEST_CASE("the table of slices of a varint") {
  std::string table;
  wire::print_table(field_codec::layout(), [&](std::string_view s) { table += s; });
  CHECK(table.find("0       29 bits               number  uleb32\n"
                   "0       3 bits                type    uleb32\n") != std::string::npos);
}
