// Tests lists whose elements are described by the elements of another list.
#include <tracecodec/wire.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Record of a table in an SQLite database (Database File Format, 2.1): the size of the header,
// which includes the size itself, the serial type of each column, then the columns. A type below
// 12 is a number or NULL, an even type is a BLOB, and an odd type is text. (These types have less
// than 14 bits, for which SQLite's varints are VLQ numbers.)
using varint = wire::vlq_of<std::uint32_t>;
struct column {
  std::uint32_t type;
  std::int64_t number;
  wire::array_view<wire::character> text;
  constexpr std::size_t length() const noexcept { return type < 12 ? 0 : (type - 12) / 2; }
};
using column_codec = wire::record<
    wire::fields<
        wire::parameter<&column::type>,
        wire::choice<&column::type, wire::on<0>, wire::on<8>, wire::on<9>,
                     wire::on<1, wire::integer<&column::number, 8>>,
                     wire::on<2, wire::integer<&column::number, 16>>,
                     wire::on<3, wire::integer<&column::number, 24>>,
                     wire::on<6, wire::field<&column::number>>,
                     wire::on_range<12, 16383, wire::counted<&column::text, &column::length>>>>,
    wire::order::big>;
using types_view = wire::list_view<varint>;
struct row {
  std::uint8_t header;
  types_view types;
  wire::list_view<column_codec, wire::each<&column::type, types_view>> columns;
};
constexpr auto bytes_of_types = [](const row& r) { return r.header - 1; };
using row_codec = wire::record<
    wire::fields<wire::field<&row::header>, wire::sized<bytes_of_types, wire::list<&row::types>>,
                 wire::list<&row::columns, wire::times<wire::size_of<&row::types>>,
                            wire::args<&column::type, wire::each<&row::types>>>>>;

// Directory table of a DWARF 5 line number program (6.2.4): the formats of an entry's values, then
// entries with one value for each format. Forms: DW_FORM_string 0x08, DW_FORM_udata 0x0f,
// DW_FORM_data16 0x1e.
using uleb = wire::uleb128_of<std::uint64_t>;
struct format {
  std::uint64_t content, form;
};
using format_codec =
    wire::record<wire::fields<wire::leb128<&format::content>, wire::leb128<&format::form>>>;
struct value {
  format how;
  std::uint64_t number;
  wire::array_view<wire::character> text;
  std::array<std::uint8_t, 16> digest;
  constexpr std::uint64_t form() const noexcept { return how.form; }
};
using value_codec = wire::record<
    wire::fields<wire::parameter<&value::how>,
                 wire::choice<&value::form, wire::on<0x08, wire::terminated<&value::text>>,
                              wire::on<0x0f, wire::leb128<&value::number>>,
                              wire::on<0x1e, wire::field<&value::digest>>>>>;
using formats_view = wire::list_view<format_codec>;
struct entry {
  formats_view formats;
  wire::list_view<value_codec, wire::each<&value::how, formats_view>> values;
};
using entry_codec = wire::record<
    wire::fields<wire::parameter<&entry::formats>,
                 wire::list<&entry::values, wire::times<wire::size_of<&entry::formats>>,
                            wire::args<&value::how, wire::each<&entry::formats>>>>>;
struct directories {
  formats_view formats;
  wire::list_view<entry_codec, &entry::formats> entries;
  std::uint8_t end;
};
using directories_codec = wire::record<wire::fields<
    wire::prefixed<&directories::formats, std::uint8_t>,
    wire::prefixed<&directories::entries, uleb, wire::args<&entry::formats, &directories::formats>>,
    wire::field<&directories::end>>>;

// Widths in an array, and another parameter that is the same for all elements.
struct cell {
  std::uint8_t width, fill;
  wire::array_view<wire::u8> data, end;
};
using cell_codec = wire::record<
    wire::fields<wire::parameter<&cell::width>, wire::parameter<&cell::fill>,
                 wire::counted<&cell::data, &cell::width>, wire::counted<&cell::end, &cell::fill>>>;
struct sheet {
  std::uint8_t fill, n;
  wire::array_view<wire::u8> widths;
  wire::list_view<cell_codec, wire::each<&cell::width, wire::array_view<wire::u8>>, &cell::fill>
      cells;
};
using sheet_codec =
    wire::record<wire::fields<wire::field<&sheet::fill>, wire::field<&sheet::n>,
                              wire::prefixed<&sheet::widths, std::uint8_t>,
                              wire::list<&sheet::cells, wire::times<&sheet::n>,
                                         wire::args<&cell::width, wire::each<&sheet::widths>>,
                                         wire::args<&cell::fill, &sheet::fill>>>>;

// Numbers that are stored as differences, each in as many bytes as an array states.
struct step {
  std::uint8_t width;
  std::uint32_t last, place;
};
using step_codec = wire::record<wire::fields<
    wire::parameter<&step::width>, wire::previous<&step::last, &step::place>,
    wire::choice<&step::width, wire::on<1, wire::delta<&step::place, &step::last, std::int8_t>>,
                 wire::on<2, wire::delta<&step::place, &step::last, std::int16_t>>>>>;
struct steps {
  wire::array_view<wire::u8> widths;
  wire::list_view<step_codec, wire::each<&step::width, wire::array_view<wire::u8>>> places;
};
using steps_codec =
    wire::record<wire::fields<wire::prefixed<&steps::widths, std::uint8_t>,
                              wire::list<&steps::places, wire::times<wire::size_of<&steps::widths>>,
                                         wire::args<&step::width, wire::each<&steps::widths>>>>>;

}  // namespace

TEST_CASE("columns of SQLite have the types in the record's header") {
  // INSERT INTO t VALUES (NULL, 200, 'hello', 0, -2, NULL).
  const row r = comes_back<row_codec>(hex<"07 00 02 17 08 01 00  00c8 68656c6c6f fe">);
  REQUIRE(r.types.size() == 6);
  REQUIRE(r.columns.size() == 6);
  std::vector<std::int64_t> numbers;
  std::string text;
  for (const column& c : r.columns) {
    numbers.push_back(c.number);
    text += wire::as_text(c.text);
  }
  CHECK(numbers == std::vector<std::int64_t>{0, 200, 0, 0, -2, 0});
  CHECK(text == "hello");
  // Columns without bytes only.
  CHECK(comes_back<row_codec>(hex<"03 00 09">).columns.size() == 2);
  CHECK(comes_back<row_codec>(hex<"01">).columns.empty());
  CHECK(refused<row_codec>(hex<"03 00 0a">) == refusal{errc::invalid_value, "type", 3});
  CHECK(refused<row_codec>(hex<"03 02 17 00c8 6865">) == refusal{errc::truncated, "text", 5});
}

TEST_CASE("entries of DWARF have the forms that precede them") {
  const directories d =
      comes_back<directories_codec>(hex<"02 01 08 05 1e  02"
                                        " 612f6200 000102030405060708090a0b0c0d0e0f"
                                        " 6300     101112131415161718191a1b1c1d1e1f  07">);
  REQUIRE(d.entries.size() == 2);
  std::string names;
  unsigned first_bytes = 0;
  for (const entry& e : d.entries)
    for (const value& v : e.values) {
      names += wire::as_text(v.text);
      first_bytes += v.digest[0];
    }
  CHECK(names == "a/bc");
  CHECK(first_bytes == 0x10);
  CHECK(refused<directories_codec>(hex<"02 01 08 02 10 01 612f6200 00">) ==
        refusal{errc::invalid_value, "choice", 10});
}

TEST_CASE("a list may have fewer elements than the other one, and not more") {
  const sheet s = comes_back<sheet_codec>(hex<"01 02 03 010002  aa ff  fe">);
  REQUIRE(s.cells.size() == 2);
  CHECK(s.cells.begin()->data.size() == 1);
  CHECK((++s.cells.begin())->data.empty());
  CHECK(refused<sheet_codec>(hex<"00 03 02 0101 aabbcc">) ==
        refusal{errc::invalid_value, "cells", 7});
  // Many elements without bytes cost nothing.
  CHECK(refused<sheet_codec>(hex<"00 ff 01 00">) == refusal{errc::invalid_value, "cells", 4});
}

TEST_CASE("a view of elements and the other list is made from bytes") {
  const auto widths = hex<"020001">;
  const auto bytes = hex<"aabbcc">;
  sheet s{};
  s.n = 3;
  s.widths = wire::array_view<wire::u8>(widths);
  s.cells = decltype(s.cells)(bytes, s.widths, std::uint8_t{0});
  CHECK(s.cells.size() == 3);
  CHECK(s.cells.bytes().size() == 3);
  std::array<byte, 16> out{};
  const auto r = sheet_codec::encode(s, out);
  REQUIRE(r);
  CHECK(hex_of(std::span(out).first(r.used)) == "000303020001aabbcc");
  // The elements were made with other widths.
  const auto others = hex<"010101">;
  s.widths = wire::array_view<wire::u8>(others);
  CHECK(sheet_codec::encode(s, out).error == errc::invalid_value);
}

TEST_CASE("elements have a parameter from another list and one from the previous element") {
  const steps s = comes_back<steps_codec>(hex<"04 01020101  05 0001 ff 00">);
  const auto places = [](const auto& list) {
    std::vector<std::uint32_t> all;
    for (const step& one : list) all.push_back(one.place);
    return all;
  };
  CHECK(places(s.places) == std::vector<std::uint32_t>{5, 261, 260, 260});
  CHECK(places(decltype(s.places)(s.places.bytes(), s.widths)) == places(s.places));
}
