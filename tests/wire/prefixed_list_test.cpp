// Tests prefixed<> of a list_view: the number of elements, then the elements.
#include <tracecodec/wire.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Import section of a WebAssembly module: a vector of imports (WebAssembly 2.0, 5.5.5), here only
// of functions (0) and globals (3).
struct import {
  wire::array_view<wire::character> module, name;
  std::uint8_t kind;
  std::uint32_t type;
  std::uint8_t value_type;
  bool is_mutable;
};
using uleb = wire::uleb128_of<std::uint32_t>;
using import_codec = wire::record<wire::fields<
    wire::prefixed<&import::module, uleb>, wire::prefixed<&import::name, uleb>,
    wire::field<&import::kind>,
    wire::choice<&import::kind, wire::on<0, wire::leb128<&import::type>>,
                 wire::on<3, wire::field<&import::value_type>, wire::field<&import::is_mutable>>>>>;
struct imports {
  wire::list_view<import_codec> all;
  std::uint8_t next_section;
};
using imports_codec = wire::record<
    wire::fields<wire::prefixed<&imports::all, uleb>, wire::field<&imports::next_section>>>;

// Attributes and fields of a Java class file (The Java Virtual Machine Specification, 4.5 and 4.7).
struct attribute {
  std::uint16_t name;
  wire::array_view<wire::u8> info;
};
using attribute_codec = wire::record<
    wire::fields<wire::field<&attribute::name>, wire::prefixed<&attribute::info, std::uint32_t>>,
    wire::order::big>;
struct field_info {
  std::uint16_t access, name, descriptor;
  wire::list_view<attribute_codec> attributes;
};
using field_codec =
    wire::record<wire::fields<wire::field<&field_info::access>, wire::field<&field_info::name>,
                              wire::field<&field_info::descriptor>,
                              wire::prefixed<&field_info::attributes, std::uint16_t>>,
                 wire::order::big>;
struct members {
  wire::list_view<wire::u16be> interfaces;
  wire::list_view<field_codec> fields;
};
using members_codec = wire::record<wire::fields<wire::prefixed<&members::interfaces, std::uint16_t>,
                                                wire::prefixed<&members::fields, std::uint16_t>>,
                                   wire::order::big>;

// Number in one signed byte, before numbers of varying size, and another value that is computed.
struct numbers {
  wire::list_view<wire::uleb128_of<std::uint16_t>> all;
  std::uint16_t count;
};
using numbers_codec =
    wire::record<wire::fields<wire::prefixed<&numbers::all, std::int8_t>,
                              wire::computed<&numbers::count, wire::size_of<&numbers::all>>>>;

// Elements that receive the width of their value from the record.
struct value {
  std::uint8_t width;
  std::uint64_t v;
};
using value_codec = wire::record<
    wire::fields<wire::parameter<&value::width>,
                 wire::choice<&value::width, wire::on<2, wire::field<&value::v, wire::u16le>>,
                              wire::on<4, wire::field<&value::v, wire::u32le>>>>>;
struct values {
  std::uint8_t width;
  wire::list_view<value_codec, &value::width> all;
};
using values_codec = wire::record<
    wire::fields<wire::field<&values::width>,
                 wire::prefixed<&values::all, uleb, wire::args<&value::width, &values::width>>>>;

}  // namespace

TEST_CASE("a vector of WebAssembly is a count and elements of varying length") {
  const imports i =
      comes_back<imports_codec>(hex<"02 03656e76 036c6f67 00 05 03656e76 0167 03 7f 01 03">);
  REQUIRE(i.all.size() == 2);
  auto one = i.all.begin();
  CHECK(wire::as_text(one->name) == "log");
  CHECK(one->type == 5);
  ++one;
  CHECK(wire::as_text(one->name) == "g");
  CHECK(one->value_type == 0x7f);
  CHECK(one->is_mutable);
  CHECK(++one == i.all.end());
  CHECK(i.next_section == 3);
  CHECK(comes_back<imports_codec>(hex<"00 03">).all.empty());
}

TEST_CASE("an error inside a prefixed list names the field and the path to it") {
  using r = refusal;
  CHECK(refused<imports_codec>(hex<"02 03656e76 036c6f67 00 05 03656e76 0167 04 7f">) ==
        r{errc::invalid_value, "kind", 17});
  CHECK(imports_codec::path(hex<"02 03656e76 036c6f67 00 05 03656e76 0167 04 7f">).view() ==
        "all[1].kind");
  CHECK(refused<imports_codec>(hex<"80">) == r{errc::truncated, "all", 0});
  CHECK(refused<imports_codec>(hex<"ffffffff7f">) == r{errc::malformed, "all", 0});
  // A count that the input cannot hold.
  CHECK(refused<imports_codec>(hex<"ffffffff0f 0000 00 05">) == r{errc::truncated, "all", 9});
}

TEST_CASE("prefixed lists nest") {
  const members m =
      comes_back<members_codec>(hex<"0002 0011 0012  0002"
                                    " 0001 0021 0022 0002 0031 00000002 aabb 0032 00000000"
                                    " 0002 0023 0024 0000">);
  REQUIRE(m.interfaces.size() == 2);
  CHECK(*m.interfaces.begin() == 0x11);
  REQUIRE(m.fields.size() == 2);
  const field_info first = *m.fields.begin();
  REQUIRE(first.attributes.size() == 2);
  CHECK(first.attributes.begin()->info.size() == 2);
  CHECK((++first.attributes.begin())->name == 0x32);
  CHECK((++m.fields.begin())->attributes.empty());
  CHECK(refused<members_codec>(hex<"0000 0001 0001 0021 0022 0001 0031 00000002 aa">) ==
        refusal{errc::truncated, "info", 14});
}

TEST_CASE("encode refuses more elements than the count can state") {
  const numbers n = comes_back<numbers_codec>(hex<"03 01 8002 00 0300">);
  CHECK(n.count == 3);
  CHECK(refused<numbers_codec>(hex<"ff 01 0100">) == refusal{errc::truncated, "all", 4});
  std::vector<byte> many(128, byte{1});
  numbers wide{};
  wide.all = decltype(wide.all)(many);
  std::vector<byte> out(200);
  const auto r = numbers_codec::encode(wide, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "all");
  wide.all = decltype(wide.all)(std::span(many).first(127));
  CHECK(numbers_codec::encode(wide, out).used == 130);
  CHECK(out[0] == byte{127});
  CHECK(out[128] == byte{127});
}

TEST_CASE("elements of a prefixed list receive args") {
  const values v = comes_back<values_codec>(hex<"04 02 01000000 02000000">);
  CHECK((++v.all.begin())->v == 2);
  CHECK(refused<values_codec>(hex<"03 01 0100">) == refusal{errc::invalid_value, "width", 2});
  values other = v;
  other.width = 2;
  std::array<byte, 16> out{};
  CHECK(values_codec::encode(other, out).error == errc::invalid_value);
}

TEST_CASE("the table of a prefixed list states its count and its elements") {
  std::string table;
  wire::print_table(numbers_codec::layout(), [&](std::string_view s) { table += s; });
  CHECK(table ==
        "Offset  Size       Field  Type    Byte order  Values\n"
        "------  ---------  -----  ------  ----------  ------\n"
        "0       i8 + list  all    uleb16\n"
        "varies  2          count  u16     little      computed\n");
  table.clear();
  wire::print_table(members_codec::layout(), [&](std::string_view s) { table += s; });
  CHECK(table.find("Each of fields\n") != std::string::npos);
  CHECK(table.find("Each of attributes\n") != std::string::npos);
  int walked = 0;
  members_codec::walk(
      members{}, [&](std::string_view, const auto& list) { walked += list.empty() ? 1 : 100; });
  CHECK(walked == 2);
}
