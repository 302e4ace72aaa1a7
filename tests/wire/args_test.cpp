// Tests parameters that a record, or a file's header, sets in the records inside it.
#include <tracecodec/wire/items/args.hpp>
#include <tracecodec/wire/items/list.hpp>
#include <tracecodec/wire/rules/choice.hpp>
#include <tracecodec/wire/rules/computed.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Pointer and data. The enclosing record states the pointer's width, as DWARF's address_size does,
// and the number of elements.
struct range {
  std::uint8_t width, parts;
  std::uint64_t begin;
  wire::array_view<wire::u16le> data;
};
using range_codec = wire::record<
    wire::fields<wire::parameter<&range::width>, wire::parameter<&range::parts>,
                 wire::choice<&range::width, wire::on<4, wire::field<&range::begin, wire::u32le>>,
                              wire::on<8, wire::field<&range::begin>>>,
                 wire::counted<&range::data, &range::parts>>>;

struct ranges {
  std::uint8_t width, n, parts;
  wire::list_view<range_codec, &range::width, &range::parts> all;
};
constexpr auto twice = [](const ranges& r) { return 2 * r.parts; };
using ranges_codec = wire::record<wire::fields<
    wire::field<&ranges::width>, wire::field<&ranges::n>, wire::field<&ranges::parts>,
    wire::list<&ranges::all, wire::times<&ranges::n>, wire::args<&range::width, &ranges::width>,
               wire::args<&range::parts, twice>>>>;

// Nested record in an alternative, which passes on its own parameter.
struct unit {
  bool there;
  std::uint8_t width;
  range one;
  std::uint8_t behind;
};
using unit_codec = wire::record<wire::fields<
    wire::field<&unit::there>, wire::parameter<&unit::width>,
    wire::choice<
        &unit::there, wire::on<false>,
        wire::on<true, wire::field<&unit::one, range_codec, wire::args<&range::width, &unit::width>,
                                   wire::args<&range::parts, &unit::there>>>>,
    wire::field<&unit::behind>>>;
struct units {
  std::uint8_t width;
  wire::list_view<unit_codec, &unit::width> all;
};
using units_codec = wire::record<
    wire::fields<wire::field<&units::width>,
                 wire::list<&units::all, wire::to_end, wire::args<&unit::width, &units::width>>>>;

// Parameters for the byte order, and for the presence of another member.
struct pair {
  bool big, more;
  std::uint16_t a, b;
};
using pair_codec = wire::record<
    wire::fields<wire::parameter<&pair::big>, wire::parameter<&pair::more>,
                 wire::choice<&pair::big, wire::on<false, wire::field<&pair::a, wire::u16le>>,
                              wire::on<true, wire::field<&pair::a, wire::u16be>>>,
                 wire::when<&pair::more, wire::field<&pair::b>>>>;
struct outer {
  bool big, more;
  pair p;
};
using outer_codec = wire::record<
    wire::fields<wire::field<&outer::big>, wire::field<&outer::more>,
                 wire::field<&outer::p, pair_codec, wire::args<&pair::big, &outer::big>,
                             wire::args<&pair::more, &outer::more>>>>;

// Parameters that are a view, and an object that a function of the enclosing record returns.
struct limits {
  std::uint8_t low, high;
  friend constexpr bool operator==(const limits&, const limits&) = default;
};
struct entry {
  wire::array_view<wire::u8> sizes;
  limits allowed;
  std::uint8_t index;
  wire::array_view<wire::u8> data;
  constexpr std::size_t size() const noexcept {
    return index >= allowed.low && index <= allowed.high ? sizes[index] : 0;
  }
};
using entry_codec = wire::record<
    wire::fields<wire::parameter<&entry::sizes>, wire::parameter<&entry::allowed>,
                 wire::field<&entry::index>, wire::counted<&entry::data, &entry::size>>>;
struct entries {
  std::uint8_t n;
  wire::array_view<wire::u8> sizes;
  wire::list_view<entry_codec, &entry::sizes, &entry::allowed> all;
  constexpr limits allowed() const noexcept { return {0, static_cast<std::uint8_t>(n - 1)}; }
};
using entries_codec = wire::record<
    wire::fields<wire::field<&entries::n>, wire::counted<&entries::sizes, &entries::n>,
                 wire::list<&entries::all, wire::to_end, wire::args<&entry::sizes, &entries::sizes>,
                            wire::args<&entry::allowed, &entries::allowed>>>>;

}  // namespace

TEST_CASE("args may be views, and objects that functions return") {
  const auto bytes = hex<"02 0103 00 aa 01 bbbbbb 02 00 ff">;
  entries e{};
  REQUIRE(entries_codec::decode(bytes, e).used == bytes.size());
  std::array<byte, 16> out{};
  REQUIRE(entries_codec::encode(e, out).used == bytes.size());
  CHECK(std::equal(bytes.begin(), bytes.end(), out.begin()));
  REQUIRE(e.all.size() == 4);
  auto one = e.all.begin();
  CHECK(one->data.size() == 1);
  CHECK((++one)->data.size() == 3);
  CHECK((++one)->data.empty());
  CHECK((++one)->index == 0);
  CHECK(refused<entries_codec>(hex<"02 0103 01 aabb">) == refusal{errc::truncated, "data", 4});
  // The elements were decoded with other sizes.
  entries other = e;
  const auto sizes = hex<"0101">;
  other.sizes = wire::array_view<wire::u8>(sizes);
  CHECK(entries_codec::encode(other, out).error == errc::invalid_value);
}

TEST_CASE("elements of a list receive args from the enclosing record") {
  const ranges four =
      comes_back<ranges_codec>(hex<"04 02 01 11223344 0100 0200 55667788 0300 0400">);
  REQUIRE(four.all.size() == 2);
  auto i = four.all.begin();
  CHECK(i->begin == 0x44332211);
  CHECK(i->data.size() == 2);
  CHECK(i->data[1] == 2);
  ++i;
  CHECK(i->begin == 0x88776655);
  CHECK(i->width == 4);
  CHECK(i->data[0] == 3);
  const ranges eight = comes_back<ranges_codec>(hex<"08 02 00 1122334400000000 5566778800000001">);
  REQUIRE(eight.all.size() == 2);
  std::uint64_t sum = 0;
  for (const range& r : eight.all) sum += r.begin;
  CHECK(sum == 0x44332211 + 0x0100000088776655);
  CHECK(refused<ranges_codec>(hex<"05 01 00 11223344">) ==
        refusal{errc::invalid_value, "width", 3});
  CHECK(refused<ranges_codec>(hex<"04 01 01 11223344 0100 02">) ==
        refusal{errc::truncated, "data", 7});
}

TEST_CASE("refuses to write a list whose elements were decoded with other args") {
  ranges r = comes_back<ranges_codec>(hex<"04 01 00 11223344">);
  r.width = 8;
  std::array<byte, 16> out{};
  auto w = ranges_codec::encode(r, out);
  CHECK(w.error == errc::invalid_value);
  CHECK(w.field == "all");
  CHECK(w.used == 3);
  r.n = 0;
  r.all = {};
  CHECK(ranges_codec::encode(r, out).used == 3);
  static constexpr auto two = hex<"11223344 0100 0200 55667788 0300 0400 ff">;
  r.all = wire::list_view<range_codec, &range::width, &range::parts>(two, 4, 2);
  CHECK(r.all.size() == 2);
  r.width = 4, r.n = 2, r.parts = 1;
  CHECK(ranges_codec::encode(r, std::span(out).first(3)).error == errc::no_space);
  std::array<byte, 19> whole{};
  CHECK(ranges_codec::encode(r, whole).used == 19);
  CHECK(hex_of(whole) == hex_of(hex<"04 02 01 11223344 0100 0200 55667788 0300 0400">));
}

TEST_CASE("a record in an alternative passes on its args") {
  static constexpr auto bytes = hex<"04 00aa 01 11223344 9988 bb 00cc">;
  units u{};
  REQUIRE(units_codec::decode(bytes, u));
  REQUIRE(u.all.size() == 3);
  std::string behind;
  for (const unit& one : u.all) behind += std::to_string(one.behind) + " ";
  CHECK(behind == "170 187 204 ");
  const unit second = *++u.all.begin();
  CHECK(second.one.begin == 0x44332211);
  CHECK(second.one.data[0] == 0x8899);
  std::array<byte, bytes.size()> out{};
  REQUIRE(units_codec::encode(u, out));
  CHECK(hex_of(out) == hex_of(bytes));
  CHECK(refused<units_codec>(hex<"04 00aa 01 11223344 99">) == refusal{errc::truncated, "data", 8});
}

TEST_CASE("encode sets the args that decode sets") {
  outer o = comes_back<outer_codec>(hex<"01 01 1234 7856">);
  CHECK(o.p.a == 0x1234);
  CHECK(o.p.b == 0x5678);
  CHECK(comes_back<outer_codec>(hex<"00 00 1234">).p.a == 0x3412);
  o.big = false;
  o.more = false;
  std::array<byte, 4> out{};
  REQUIRE(outer_codec::encode(o, out));
  CHECK(hex_of(out) == hex_of(hex<"00003412">));
  CHECK(outer_codec::extent(o) == 4);
  std::string names;
  outer_codec::walk(o,
                    [&](std::string_view name, const auto&) { names += std::string(name) + " "; });
  CHECK(names == "big more p ");
  static constexpr auto rows = outer_codec::layout();
  CHECK(rows[2].name.view() == "p.a");
  CHECK(rows[4].name.view() == "p.b");
  CHECK(rows[4].conditional);
}

TEST_CASE("records with args decode in constant expressions") {
  static constexpr auto bytes = hex<"08 01 00 1122334400000000">;
  constexpr std::uint64_t begin = [] {
    ranges r{};
    static_cast<void>(ranges_codec::decode(bytes, r));
    return r.all.begin()->begin;
  }();
  static_assert(begin == 0x44332211);
  CHECK(begin == 0x44332211);
  // A view without parameters needs no storage for them.
  CHECK(sizeof(wire::list_view<outer_codec>) == 3 * sizeof(void*));
}
