// Tests lists of records of varying length, choices between parts, and tables with a stride.
#include <tracecodec/wire/items/list.hpp>
#include <tracecodec/wire/items/strided.hpp>
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/items/varint.hpp>
#include <tracecodec/wire/rules/choice.hpp>
#include <tracecodec/wire/rules/constant.hpp>
#include <tracecodec/wire/rules/sized.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

struct option {
  std::uint8_t kind;
  wire::array_view<wire::u8> data;
};
using option_codec = wire::record<
    wire::fields<wire::field<&option::kind>, wire::prefixed<&option::data, std::uint8_t>>>;
struct options {
  std::uint8_t n;
  wire::list_view<option_codec> all;
  std::uint8_t behind;
};
constexpr auto is_last = [](const option& o) { return o.kind == 0; };

enum class shape : std::uint8_t { point = 1, text = 2, nothing = 3 };
struct drawn {
  shape what;
  std::uint16_t x, y;
  wire::array_view<wire::character> text;
  std::uint8_t unknown;
};
using drawn_codec = wire::record<wire::fields<
    wire::field<&drawn::what>,
    wire::choice<&drawn::what,
                 wire::on<shape::point, wire::field<&drawn::x>, wire::field<&drawn::y>>,
                 wire::on<shape::text, wire::leb128<&drawn::x>, wire::terminated<&drawn::text>>,
                 wire::on<shape::nothing>, wire::otherwise<wire::field<&drawn::unknown>>>>>;

struct entry {
  std::uint16_t id;
};
using entry_codec = wire::record<entry>;
struct table {
  std::uint16_t row_size, rows;
  wire::strided_view<entry_codec> all;
};
using table_codec = wire::record<
    wire::fields<wire::section<wire::field<&table::row_size>, wire::field<&table::rows>>,
                 wire::section<wire::strided<&table::all, &table::rows, &table::row_size>>>>;

}  // namespace

TEST_CASE("reads a list of counted elements") {
  using codec = wire::record<
      wire::fields<wire::field<&options::n>, wire::list<&options::all, wire::times<&options::n>>,
                   wire::field<&options::behind>>>;
  const options o = comes_back<codec>(hex<"03 0100 0202aabb 0301cc ff">);
  REQUIRE(o.all.size() == 3);
  std::string kinds;
  std::size_t bytes = 0;
  for (const option& one : o.all) kinds += std::to_string(one.kind), bytes += one.data.size();
  CHECK(kinds == "123");
  CHECK(bytes == 3);
  CHECK(o.behind == 0xff);
  CHECK(refused<codec>(hex<"04 0100 0202aabb">) == refusal{errc::truncated, "all", 7});
  CHECK(refused<codec>(hex<"02 0100 0203aabb">) == refusal{errc::truncated, "data", 4});
  options fewer = o;
  fewer.n = 2;
  std::array<byte, 16> out{};
  CHECK(codec::encode(fewer, out).error == errc::count_mismatch);
  CHECK(codec::encode(fewer, out).field == "all");
  CHECK(comes_back<codec>(hex<"00 ff">).all.empty());
}

TEST_CASE("reads a list up to an end element or to the end of the input") {
  using ended = wire::record<
      wire::fields<wire::not_on_wire<&options::n>, wire::list<&options::all, wire::until<is_last>>,
                   wire::field<&options::behind>>>;
  CHECK(comes_back<ended>(hex<"0101aa 0000 ff">).all.size() == 2);
  CHECK(refused<ended>(hex<"0101aa 0100">) == refusal{errc::truncated, "all", 5});
  using to_end =
      wire::record<wire::fields<wire::not_on_wire<&options::n>, wire::field<&options::behind>,
                                wire::list<&options::all>>>;
  options o{};
  const auto in = hex<"ff 0101aa 0000">;
  CHECK(to_end::decode(in, o).used == 6);
  CHECK(o.all.size() == 2);
  CHECK(o.all.begin().bytes().size() == 3);
  const option& first = *o.all.begin();  // the iterator no longer exists
  CHECK(first.kind == 1);
  static_assert(std::input_iterator<decltype(o.all.begin())>);
  CHECK(refused<to_end>(hex<"ff 0101aa 00">) == refusal{errc::truncated, "data", 5});
}

// Element with an absent member. It must not inherit a value from the previous element, neither
// during iteration nor in the search for the last element.
struct sometimes {
  std::uint8_t there;
  std::uint8_t ends;
};
using sometimes_codec =
    wire::record<wire::fields<wire::field<&sometimes::there>,
                              wire::when<&sometimes::there, wire::field<&sometimes::ends>>>>;
struct several {
  wire::list_view<sometimes_codec> all;
};
constexpr auto without = [](const sometimes& s) { return s.ends == 0; };

TEST_CASE("the predicate of until<> may be a member of the element") {
  struct step {
    std::uint8_t n;
    wire::array_view<wire::u8> data;
    constexpr bool is_last() const noexcept { return n == 0; }
  };
  using step_codec =
      wire::record<wire::fields<wire::field<&step::n>, wire::counted<&step::data, &step::n>>>;
  struct steps {
    wire::list_view<step_codec> all;
    std::uint8_t next;
  };
  using codec = wire::record<wire::fields<wire::list<&steps::all, wire::until<&step::is_last>>,
                                          wire::field<&steps::next>>>;
  const steps s = comes_back<codec>(hex<"01 aa 02 bbcc 00 ff">);
  CHECK(s.all.size() == 3);
  CHECK(s.next == 0xff);
  CHECK(refused<codec>(hex<"01 aa 01 bb">) == refusal{errc::truncated, "all", 4});
}

TEST_CASE("absent members of an element have default values") {
  using codec = wire::record<wire::fields<wire::list<&several::all, wire::until<without>>>>;
  const several s = comes_back<codec>(hex<"01 05 01 06 00">);
  REQUIRE(s.all.size() == 3);
  std::string ends;
  for (const sometimes& one : s.all) ends += std::to_string(one.ends) + ' ';
  CHECK(ends == "5 6 0 ");
}

TEST_CASE("refuses a list of elements without bytes") {
  struct none {
    wire::array_view<wire::u8> all;
  };
  using none_codec = wire::record<wire::fields<wire::sized<0, wire::rest<&none::all>>>>;
  struct lists {
    std::uint64_t n;
    wire::list_view<none_codec> all;
  };
  using codec = wire::record<
      wire::fields<wire::field<&lists::n>, wire::list<&lists::all, wire::times<&lists::n>>>>;
  CHECK(refused<codec>(hex<"ffffffffffffff7f">).error == errc::truncated);
  CHECK(refused<codec>(hex<"ffffffffffffff7f 00">) == refusal{errc::malformed, "all", 8});
}

TEST_CASE("a tag selects a part") {
  CHECK(comes_back<drawn_codec>(hex<"01 0102 0304">).y == 0x403);
  const drawn t = comes_back<drawn_codec>(hex<"02 8101 616200">);
  CHECK(t.x == 129);
  CHECK(wire::as_text(t.text) == "ab");
  comes_back<drawn_codec>(hex<"03">);
  CHECK(comes_back<drawn_codec>(hex<"77 05">).unknown == 5);
  std::string names;
  drawn_codec::walk(t,
                    [&](std::string_view name, const auto&) { names += std::string(name) + ' '; });
  CHECK(names == "what x text ");
  CHECK(refused<drawn_codec>(hex<"01 0102 03">) == refusal{errc::truncated, "y", 3});

  using closed = wire::record<
      wire::fields<wire::field<&drawn::what>,
                   wire::choice<&drawn::what, wire::on<shape::point, wire::field<&drawn::x>,
                                                       wire::field<&drawn::y>>>,
                   wire::not_on_wire<&drawn::text>, wire::not_on_wire<&drawn::unknown>>>;
  CHECK(refused<closed>(hex<"05 0102 0304">) == refusal{errc::invalid_value, "what", 0});
  std::array<byte, 8> out{};
  const auto w = closed::encode({shape::text, 1, 2, {}, 0}, out);
  CHECK(w.error == errc::invalid_value);
  CHECK(w.field == "what");
}

// Group with a size. It contains a nested record with a list of options, and groups form a list
// themselves.
struct group {
  std::uint8_t size;
  wire::list_view<option_codec> options;
};
using group_codec =
    wire::record<wire::fields<wire::field<&group::size>,
                              wire::sized<&group::size, wire::list<&group::options>>>>;
struct named_group {
  std::uint8_t name;
  group part;
};
using named_group_codec = wire::record<
    wire::fields<wire::field<&named_group::name>, wire::field<&named_group::part, group_codec>>>;
struct groups {
  std::uint8_t n;
  wire::list_view<named_group_codec> all;
};
using groups_codec = wire::record<
    wire::fields<wire::field<&groups::n>, wire::list<&groups::all, wire::times<&groups::n>>>>;

TEST_CASE("reports the path to the failing field in nested lists") {
  const auto way = [](std::span<const byte> in) {
    return std::string(groups_codec::path(in).view());
  };
  const auto whole = hex<"02 07 02 0100 08 05 0102aabb 03">;
  CHECK(way(std::span(whole).first(0)) == "n");
  CHECK(way(std::span(whole).first(1)) == "all");
  CHECK(way(std::span(whole).first(2)) == "all[0].part.size");
  CHECK(way(std::span(whole).first(4)) == "all[0].part.options[0].data");
  CHECK(way(std::span(whole).first(5)) == "all");
  CHECK(way(std::span(whole).first(9)) == "all[1].part.options[0].data");
  // Option whose data extend beyond its part.
  CHECK(way(whole) == "all[1].part.options[1].data");
  CHECK(refused<groups_codec>(whole).field == "data");
}

TEST_CASE("reads a table with the stride that the file states") {
  const auto bytes = hex<"0300 0200 0100ee 0200ff">;
  const table t = comes_back<table_codec>(bytes);
  REQUIRE(t.all.size() == 2);
  CHECK(t.all[0].id == 1);
  CHECK(t.all[1].id == 2);
  CHECK(std::to_integer<int>(t.all.row(1)[2]) == 0xff);
  int sum = 0;
  for (const entry e : t.all) sum += e.id;
  CHECK(sum == 3);
  CHECK(refused<table_codec>(hex<"0100 0200 0100">) == refusal{errc::invalid_value, "all", 4});
  CHECK(refused<table_codec>(hex<"ffff ffff 0100">).error == errc::truncated);
  table wrong = t;
  wrong.row_size = 2;
  std::array<byte, 16> out{};
  CHECK(table_codec::encode(wrong, out).error == errc::count_mismatch);

  // Table after a file pointer.
  const wire::file_pointer<entry_codec> p{4};
  const wire::region<> file{bytes};
  const auto rows = wire::table_at(p, file, 2, 3);
  REQUIRE(rows);
  CHECK(rows.rows[1].id == 2);
  CHECK(wire::table_at(p, file, 3, 3).error == errc::out_of_bounds);
  CHECK(wire::table_at(p, file, ~std::uint64_t{}, 3).error == errc::out_of_bounds);
  CHECK(wire::table_at(p, file, 2, 1).error == errc::invalid_value);
  CHECK(wire::table_at(p, file, 2).rows[1].id == 0x2ee);
  // Rows that decode rejects are also rejected when a pointer leads to them.
  using numbered = wire::record<wire::fields<wire::in_range<&entry::id, 1, 9>>>;
  const wire::file_pointer<numbered> q{4};
  CHECK(wire::table_at(q, file, 2, 3));
  CHECK(wire::table_at(q, file, 2).error == errc::invalid_value);
}
