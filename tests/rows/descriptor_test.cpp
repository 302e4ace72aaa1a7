// Tests columns from descriptors: their names and order, and which fields are addresses.
#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "support.hpp"
#include "tracecodec/wire.hpp"

using namespace test;

namespace {
enum class kind : std::uint8_t { read, written };
constexpr std::string_view name(kind k) { return k == kind::read ? "read" : "written"; }

// Record defined by a user. Rows need no further description.
struct access {
  std::uint32_t thread;
  kind what;
  std::uint64_t address;
  std::int64_t count;
  std::array<std::uint64_t, 2> values;
};
using access_codec = wire::record<access>;
using access_row = rows::record_fields<access_codec>;

TEST_CASE("a record can be a row without further description") {
  const access a{1, kind::written, 0x401000, -2, {3, 0xFFFFFFFFFFFFFFFF}};
  CHECK(json_of(access_row{&a}) ==
        "{\"thread\":1,\"what\":\"written\",\"address\":\"0x401000\",\"count\":-2,"
        "\"values\":[\"0x3\",\"0xffffffffffffffff\"]}\n");
  CHECK(
      csv_of(access_row{&a}) ==
      "thread,what,address,count,values_0,values_1\n1,written,4198400,-2,3,18446744073709551615\n");
}

// Columns have the order on the wire, not the order of the members. The meaning in a description
// takes precedence over the type.
struct described {
  std::uint64_t time;
  std::uint32_t narrow_address;
  std::uint64_t slice;
  std::uint64_t rest;
  std::uint8_t cache;
  wire::file_pointer<void, wire::whole_file, std::int64_t> where;
};
using described_codec = wire::record<
    wire::fields<wire::padding<2>, wire::address_field<&described::narrow_address>,
                 wire::number_field<&described::time>, wire::not_on_wire<&described::cache>,
                 wire::bit_slices<std::uint64_t, wire::bits<&described::slice, 34>,
                                  wire::unused_bits<10>, wire::bits<&described::rest, 20>>,
                 wire::field<&described::where>>>;

TEST_CASE("rows contain tagged fields and bit slices, but not members without bytes") {
  const described d{5, 0xFF, 1, 2, 9, {77}};
  CHECK(json_of(rows::record_fields<described_codec>{&d}) ==
        "{\"narrow_address\":\"0xff\",\"time\":5,\"slice\":1,\"rest\":2}\n");
  CHECK(csv_of(rows::record_fields<described_codec>{&d}) ==
        "narrow_address,time,slice,rest\n255,5,1,2\n");
}

struct with_more {
  std::uint64_t index = 0;  // members of the row itself are numbers
  rows::record_fields<described_codec, &described::time, &described::rest> record = {};
  std::optional<rows::address> last = {};
};

TEST_CASE("combines fields of a record with other members, and omits some") {
  const described d{5, 0xFF, 1, 2, 9, {77}};
  CHECK(json_of(with_more{3, {&d}, {}}) ==
        "{\"index\":3,\"narrow_address\":\"0xff\",\"slice\":1,\"last\":null}\n");
  CHECK(csv_of(with_more{3, {&d}, {}}) == "index,narrow_address,slice,last\n3,255,1,\n");
}

// Records of varying size: lists, and fields that may be absent.
struct varying {
  bool has_id{};
  std::uint8_t n{};
  std::uint16_t id{};
  std::array<std::uint8_t, 2> pair{};
  wire::array_view<wire::u64le> values;
};
using varying_codec = wire::record<
    wire::fields<wire::section<wire::field<&varying::has_id>, wire::field<&varying::n>>,
                 wire::section<wire::when<&varying::has_id, wire::field<&varying::id>,
                                          wire::field<&varying::pair>>,
                               wire::counted<&varying::values, &varying::n>>>>;

TEST_CASE("absent fields keep their columns, and counted arrays are lists") {
  varying v{};
  const auto absent = from_hex("00 02 0100000000000000 ff00000000000000");
  REQUIRE(varying_codec::decode(absent, v));
  v.id = 999;  // a stale value, which must not appear
  using row = rows::record_fields<varying_codec>;
  CHECK(json_of(row{&v}) ==
        "{\"has_id\":false,\"n\":2,\"id\":null,\"pair\":null,\"values\":[\"0x1\",\"0xff\"]}\n");
  CHECK(csv_of(row{&v}) ==
        "has_id,n,id,pair_0,pair_1,values\n0,2,,,,\"[\"\"0x1\"\",\"\"0xff\"\"]\"\n");
  const auto whole = from_hex("01 00 0200 0304");
  REQUIRE(varying_codec::decode(whole, v));
  CHECK(json_of(row{&v}) == "{\"has_id\":true,\"n\":0,\"id\":2,\"pair\":[3,4],\"values\":[]}\n");
  CHECK(csv_of(row{&v}) == "has_id,n,id,pair_0,pair_1,values\n1,0,2,3,4,[]\n");
}

struct without_list {
  rows::record_fields<varying_codec, &varying::values, &varying::id, &varying::pair> record = {};
};

TEST_CASE("fields of variable length and optional fields can be omitted") {
  varying v{};
  REQUIRE(varying_codec::decode(from_hex("00 01 0100000000000000"), v));
  CHECK(json_of(without_list{{&v}}) == "{\"has_id\":false,\"n\":1}\n");
  CHECK(csv_of(without_list{{&v}}) == "has_id,n\n0,1\n");
}

struct of_records {
  std::optional<rows::record_fields<varying_codec>> one = {};
  std::vector<rows::record_fields<described_codec>> more = {};
};

TEST_CASE("records inside a value are objects with the fields of their descriptions") {
  varying v{};
  REQUIRE(varying_codec::decode(from_hex("00 00"), v));
  v.id = 999;
  const described d{5, 0xFF, 1, 2, 9, {77}};
  const std::string one = R"({"has_id":false,"n":0,"id":null,"pair":null,"values":[]})",
                    more = R"([{"narrow_address":"0xff","time":5,"slice":1,"rest":2}])";
  const of_records row{{{&v}}, {{&d}}};
  CHECK(json_of(row) == "{\"one\":" + one + ",\"more\":" + more + "}\n");
  CHECK(parse_csv(csv_of(row)) ==
        std::vector<std::vector<std::string>>{{"one", "more"}, {one, more}});
  CHECK(csv_of(of_records{}) == "one,more\n,[]\n");
}

struct coded {
  std::array<std::byte, 2> code;
  std::uint8_t n;
  wire::array_view<wire::scalar<std::byte, wire::order::little>> rest;
};
using coded_codec =
    wire::record<wire::fields<wire::section<wire::field<&coded::code>, wire::field<&coded::n>>,
                              wire::section<wire::counted<&coded::rest, &coded::n>>>>;

TEST_CASE("writes bytes of a record as hexadecimal digits") {
  coded c{};
  const auto raw = from_hex("90c3 03 00ff10");
  REQUIRE(coded_codec::decode(raw, c));
  using row = rows::record_fields<coded_codec>;
  CHECK(json_of(row{&c}) == "{\"code\":\"90c3\",\"n\":3,\"rest\":\"00ff10\"}\n");
  CHECK(csv_of(row{&c}) == "code,n,rest\n90c3,3,00ff10\n");
}

struct inner {
  std::uint16_t low;
  std::uint64_t high;
};
struct outer {
  std::uint8_t first;
  inner nested;
  std::array<inner, 2> several;
};

TEST_CASE("writes nested records as objects") {
  const outer o{1, {2, 3}, {{{4, 5}, {6, 7}}}};
  const std::string nested = R"({"low":2,"high":"0x3"})",
                    several = R"([{"low":4,"high":"0x5"},{"low":6,"high":"0x7"}])";
  using row = rows::record_fields<wire::record<outer>>;
  CHECK(json_of(row{&o}) ==
        "{\"first\":1,\"nested\":" + nested + ",\"several\":" + several + "}\n");
  CHECK(parse_csv(csv_of(row{&o})) == std::vector<std::vector<std::string>>{
                                          {"first", "nested", "several"}, {"1", nested, several}});
}
}  // namespace
