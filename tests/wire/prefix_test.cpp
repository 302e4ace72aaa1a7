// Tests sized<prefix<&S::n>, ...>: a part right after its size.
#include <tracecodec/io/checksum.hpp>
#include <tracecodec/wire.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Section of a WebAssembly module (WebAssembly 2.0, 5.5.2): its id, and its size as a varint.
struct section {
  std::uint8_t id;
  std::uint32_t size;
  wire::array_view<wire::character> name;
  wire::array_view<wire::u8> content;
};
using uleb = wire::uleb128_of<std::uint32_t>;
using section_codec =
    wire::record<wire::fields<wire::field<&section::id>,
                              wire::sized<wire::prefix<&section::size, uleb>,
                                          wire::when<[](const section& s) { return s.id == 0; },
                                                     wire::prefixed<&section::name, uleb>>,
                                          wire::rest<&section::content>>>>;

// One layout in two descriptions: with computed<> and sized<>, and with prefix<>.
struct chunk {
  std::uint16_t kind, size;
  std::uint8_t level;
  wire::array_view<wire::u8> data;
  std::uint32_t sum;
};
using two_words = wire::record<
    wire::fields<wire::field<&chunk::kind>,
                 wire::computed<&chunk::size, wire::extent_of<wire::sized_by<&chunk::size>>>,
                 wire::sized<&chunk::size, wire::field<&chunk::level>, wire::rest<&chunk::data>>,
                 wire::computed<&chunk::sum, wire::over<tracecodec::io::crc32, wire::record_start,
                                                        wire::here>>>>;
using one_word = wire::record<wire::fields<
    wire::field<&chunk::kind>,
    wire::sized<wire::prefix<&chunk::size>, wire::field<&chunk::level>, wire::rest<&chunk::data>>,
    wire::computed<&chunk::sum,
                   wire::over<tracecodec::io::crc32, wire::record_start, wire::here>>>>;
// The size does not begin a section of its own.
static_assert(one_word::front_size == 4);

// Parts in parts, in an alternative, under a condition and in explicit sections.
struct tree {
  std::uint8_t kind, outer, inner;
  wire::array_view<wire::u8> leaves;
  std::uint8_t level;
  bool more;
  std::uint16_t extra;
  wire::array_view<wire::u8> added;
};
using tree_codec = wire::record<wire::fields<
    wire::section<wire::field<&tree::kind>>,
    wire::section<wire::choice<
        &tree::kind, wire::on<0>,
        wire::on<1, wire::sized<wire::prefix<&tree::outer>, wire::field<&tree::level>,
                                wire::sized<wire::prefix<&tree::inner>, wire::rest<&tree::leaves>>,
                                wire::field<&tree::more>>>>>,
    wire::section<wire::when<
        [](const tree& t) { return t.kind == 1 && t.more; },
        wire::sized<wire::prefix<&tree::extra, wire::u16be>, wire::rest<&tree::added>>>>>>;

// Unused bytes at the end of the part are skipped, and the size states how many there are.
struct header {
  std::uint16_t size, version;
};
using header_codec = wire::record<wire::fields<
    wire::sized<wire::prefix<&header::size>, wire::field<&header::version>, wire::skip_rest>>>;

}  // namespace

TEST_CASE("a part after its size in a varint") {
  // Custom section with the name "ab", and an empty type section.
  const section s = comes_back<section_codec>(hex<"00 05 026162 dddd">);
  CHECK(s.size == 5);
  CHECK(wire::as_text(s.name) == "ab");
  CHECK(s.content.size() == 2);
  CHECK(comes_back<section_codec>(hex<"01 00">).content.empty());
  using r = refusal;
  CHECK(refused<section_codec>(hex<"00 05 066162 dddd">) == r{errc::wrong_size, "name", 2});
  CHECK(refused<section_codec>(hex<"00 ffffffff7f">) == r{errc::malformed, "size", 1});

  // encode computes the size, and ignores the member.
  section long_one{};
  std::vector<byte> content(200);
  long_one.id = 1;
  long_one.size = 7;
  long_one.content = wire::array_view<wire::u8>(content);
  std::vector<byte> out(300);
  CHECK(section_codec::extent(long_one) == 203);
  CHECK(section_codec::encode(long_one, out).used == 203);
  CHECK(hex_of(std::span(out).first(4)) == "01c80100");
}

TEST_CASE("prefix<> says what computed<> and sized<> say") {
  const auto bytes = hex<"0100 0300 07 aabb 1e13a2d5">;
  chunk a{}, b{};
  const auto ra = two_words::decode(bytes, a), rb = one_word::decode(bytes, b);
  CHECK(ra.error == rb.error);
  CHECK(ra.field == rb.field);
  chunk c{1, 9, 7, a.data, 0};
  c.data = wire::array_view<wire::u8>(std::span(bytes).subspan(5, 2));
  std::array<byte, 20> one{}, two{};
  CHECK(one_word::encode(c, one).used == 11);
  CHECK(two_words::encode(c, two).used == 11);
  CHECK(one == two);
  CHECK(hex_of(std::span(one).first(7)) ==
        "01000300"
        "07aabb");
  CHECK(comes_back<one_word>(std::span(one).first(11)).size == 3);
  std::vector<std::string> names;
  one_word::walk(c, [&](std::string_view name, const auto&) { names.emplace_back(name); });
  CHECK(names == std::vector<std::string>{"kind", "size", "level", "data", "sum"});
  std::string table, other;
  wire::print_table(one_word::layout(), [&](std::string_view s) { table += s; });
  wire::print_table(two_words::layout(), [&](std::string_view s) { other += s; });
  CHECK(table == other);
  CHECK(table.find("2       2                 size   u16   little      computed\n") !=
        std::string::npos);

  // The size does not fit its field.
  std::vector<byte> much(65536);
  c.data = wire::array_view<wire::u8>(much);
  std::vector<byte> out(70000);
  const auto r = one_word::encode(c, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "size");
  CHECK(r.used == 2);
}

TEST_CASE("parts after their sizes nest") {
  CHECK(comes_back<tree_codec>(hex<"00">).kind == 0);
  const tree t = comes_back<tree_codec>(hex<"01 05 09 02 aabb 01 0003 010203">);
  CHECK(t.outer == 5);
  CHECK(t.inner == 2);
  CHECK(t.leaves.size() == 2);
  CHECK(t.extra == 3);
  CHECK(t.added.size() == 3);
  using r = refusal;
  CHECK(refused<tree_codec>(hex<"01 05 09 04 aabb 01 0003 010203">) ==
        r{errc::wrong_size, "leaves", 4});
  CHECK(refused<tree_codec>(hex<"01 05 09 01 aa 01 00">) == r{errc::wrong_size, "outer", 1});
}

TEST_CASE("the size covers bytes that decode skips") {
  header h{};
  CHECK(header_codec::decode(hex<"0400 0100 ffff">, h).used == 6);
  CHECK(h.size == 4);
  std::array<byte, 4> out{};
  CHECK(header_codec::encode(h, out).used == 4);
  CHECK(hex_of(out) == "02000100");
}
