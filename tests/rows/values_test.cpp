// Tests every kind of value, in both forms.
#include <doctest/doctest.h>

#include <limits>
#include <optional>

#include "support.hpp"
#include "tracecodec/wire/items/strings.hpp"

using namespace test;

namespace {
enum class fruit : std::uint8_t { apple, pear };
constexpr std::string_view name(fruit f) { return f == fruit::apple ? "apple" : ""; }
enum class letter : std::uint8_t { a, b, c };
constexpr std::string_view name(letter l) { return l == letter::a ? "A" : "undefined"; }
constexpr bool defined(letter l) { return l == letter::a; }
enum class odd : std::uint8_t { quoted, torn, lines };
constexpr std::string_view name(odd o) {
  return o == odd::quoted ? "a \"b\", c" : o == odd::torn ? "x\xFF" : "1\n2\\";
}
enum class nameless : std::int16_t { low = -5 };

struct numbers {
  std::uint8_t narrow = 255;
  char character = 'A';
  std::int8_t negative = -128;
  std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
  std::int64_t small = std::numeric_limits<std::int64_t>::min();
  bool yes = true;
  double ratio = 0.1;
  double none = std::numeric_limits<double>::infinity();
};

TEST_CASE("writes numbers") {
  CHECK(json_of(numbers{}) ==
        "{\"narrow\":255,\"character\":65,\"negative\":-128,\"large\":18446744073709551615,"
        "\"small\":-9223372036854775808,\"yes\":true,\"ratio\":0.1,\"none\":null}\n");
  CHECK(csv_of(numbers{}) ==
        "narrow,character,negative,large,small,yes,ratio,none\n"
        "255,65,-128,18446744073709551615,-9223372036854775808,1,0.1,\n");
}

struct meanings {
  rows::address at = {0xFFFFFFFFFFFFFFFF};
  rows::address nowhere = {};
  std::array<rows::address, 2> both = {{{1}, {0x10}}};
  fruit first = fruit::apple;
  fruit second = fruit::pear;
  letter third = letter::b;
  nameless fourth = nameless::low;
  std::optional<std::uint32_t> there = 7;
  std::optional<rows::address> missing = {};
  std::array<std::uint8_t, 3> three = {1, 0, 10};
  rows::absent no_column = {};
};

TEST_CASE("writes addresses, enumerations, optional values and arrays") {
  CHECK(json_of(meanings{}) ==
        "{\"at\":\"0xffffffffffffffff\",\"nowhere\":\"0x0\",\"both\":[\"0x1\",\"0x10\"],"
        "\"first\":\"apple\",\"second\":\"1\",\"third\":\"1\",\"fourth\":-5,\"there\":7,"
        "\"missing\":null,\"three\":[1,0,10]}\n");
  CHECK(csv_of(meanings{}) ==
        "at,nowhere,both_0,both_1,first,second,third,fourth,there,missing,three_0,three_1,three_2\n"
        "18446744073709551615,0,1,16,apple,1,1,-5,7,,1,0,10\n");
}

struct odd_names {
  odd first = odd::quoted;
  odd second = odd::torn;
  odd third = odd::lines;
};

TEST_CASE("escapes the names of enumerations like other text") {
  CHECK(
      json_of(odd_names{}) ==
      "{\"first\":\"a \\\"b\\\", c\",\"second\":\"x\xEF\xBF\xBD\",\"third\":\"1\\u000a2\\\\\"}\n");
  CHECK(csv_of(odd_names{}) == "first,second,third\n\"a \"\"b\"\", c\",x\xEF\xBF\xBD,\"1\n2\\\"\n");
}

struct reals {
  float narrow = 0.1F;
  double wide = 0.1;
  float rounded = 16777216.F;
  double as_double = 0.1F;
  float none = std::numeric_limits<float>::quiet_NaN();
};

// The 32-bit float closest to 0.1 (IEEE 754) has the shortest digits 0.1 as a float, but
// 0.10000000149011612 as a double.
TEST_CASE("writes a float with the digits of a float") {
  CHECK(json_of(reals{}) ==
        "{\"narrow\":0.1,\"wide\":0.1,\"rounded\":16777216,"
        "\"as_double\":0.10000000149011612,\"none\":null}\n");
  CHECK(csv_of(reals{}) ==
        "narrow,wide,rounded,as_double,none\n0.1,0.1,16777216,0.10000000149011612,\n");
  std::string s;
  rows::json<std::string>(s).array().number(0.1F).number(0.1).end_array();
  CHECK(s == "[0.1,0.1]");
}

TEST_CASE("writes hexadecimal numbers of any width up to 16 digits") {
  const auto hex = [](std::uint64_t n, std::size_t width) {
    std::string s;
    rows::add_hex(s, n, width);
    return s;
  };
  CHECK(hex(0x3F, 0) == "0x3f");
  CHECK(hex(0, 1) == "0x0");
  CHECK(hex(0x3F, 1) == "0x3f");
  CHECK(hex(0x3F, 4) == "0x003f");
  CHECK(hex(0x3F, 16) == "0x000000000000003f");
  CHECK(hex(0x3F, 17) == "0x000000000000003f");
  CHECK(hex(0x3F, 1000) == "0x000000000000003f");
  CHECK(hex(~std::uint64_t{0}, 1000) == "0xffffffffffffffff");
}

struct raw_bytes {
  std::array<std::byte, 3> fixed = {std::byte{0}, std::byte{0xFF}, std::byte{0x1A}};
  std::array<std::array<std::byte, 1>, 2> several = {};
  std::span<const std::byte> list = {};
  std::array<std::uint32_t, 0> nothing = {};
};

TEST_CASE("writes bytes of any container as hexadecimal digits") {
  CHECK(json_of(raw_bytes{}) ==
        "{\"fixed\":\"00ff1a\",\"several\":[\"00\",\"00\"],\"list\":\"\",\"nothing\":[]}\n");
  CHECK(parse_csv(csv_of(raw_bytes{})) ==
        std::vector<std::vector<std::string>>{{"fixed", "several", "list", "nothing"},
                                              {"00ff1a", "[\"00\",\"00\"]", "", "[]"}});
}

struct texts {
  std::string_view first = {};
  std::string_view second = {};
  rows::hex_bytes bytes = {};
};

TEST_CASE("writes text and bytes") {
  const auto raw = from_hex("00 ff 1a");
  CHECK(json_of(texts{"mov eax, [ebx]", "", {raw}}) ==
        "{\"first\":\"mov eax, [ebx]\",\"second\":\"\",\"bytes\":\"00ff1a\"}\n");
  CHECK(csv_of(texts{"mov eax, [ebx]", "", {raw}}) ==
        "first,second,bytes\n\"mov eax, [ebx]\",\"\",00ff1a\n");
  // RFC 8259, section 7, and RFC 4180, section 2, rules 5 to 7.
  CHECK(json_of(texts{"\"\\\b\n", "\x01\x1F/\x7F", {}}) ==
        "{\"first\":\"\\\"\\\\\\u0008\\u000a\",\"second\":\"\\u0001\\u001f/"
        "\\u007f\",\"bytes\":\"\"}\n");
  CHECK(csv_of(texts{"a \"b\"", "c\nd", {}}) == "first,second,bytes\n\"a \"\"b\"\"\",\"c\nd\",\n");
  CHECK(csv_of(texts{"\"", "\r", {}}) == "first,second,bytes\n\"\"\"\",\"\r\",\n");
  CHECK(csv_of(texts{"plain text", " 'x;\t", {}}) == "first,second,bytes\nplain text, 'x;\t,\n");
}

// Text and bytes of a record, as its description reads them.
struct described_texts {
  wire::array_view<wire::character> ended, counted;
  std::array<char, 6> fixed;
  wire::array_view<wire::scalar<char16_t, wire::order::little>> wide;
  wire::array_view<wire::u8> raw;
  std::array<std::uint8_t, 2> numbers;
};
using described_texts_codec = wire::record<wire::fields<
    wire::terminated<&described_texts::ended>,
    wire::prefixed<&described_texts::counted, std::uint8_t>, wire::field<&described_texts::fixed>,
    wire::terminated<&described_texts::wide>, wire::prefixed<&described_texts::raw, std::uint8_t>,
    wire::field<&described_texts::numbers>>>;

TEST_CASE("writes text of records as text, and bytes as hexadecimal digits") {
  // "ab,", "h\xff", "IHDR", U+1F600 in UTF-16, the bytes 00 and ff, and the numbers 7 and 255.
  const auto raw =
      from_hex("61 62 2c 00  02 68 ff  49 48 44 52 00 00  3d d8 00 de 00 00  02 00 ff  07 ff");
  described_texts t{};
  REQUIRE(described_texts_codec::decode(raw, t).used == raw.size());
  using row = rows::record_fields<described_texts_codec>;
  CHECK(json_of(row{&t}) ==
        "{\"ended\":\"ab,\",\"counted\":\"h\xEF\xBF\xBD\",\"fixed\":\"IHDR\","
        "\"wide\":\"\xF0\x9F\x98\x80\",\"raw\":\"00ff\",\"numbers\":[7,255]}\n");
  CHECK(csv_of(row{&t}) ==
        "ended,counted,fixed,wide,raw,numbers_0,numbers_1\n"
        "\"ab,\",h\xEF\xBF\xBD,IHDR,\xF0\x9F\x98\x80,00ff,7,255\n");
}

TEST_CASE("replaces invalid UTF-8") {
  CHECK(json_of(texts{"a\xFFz\xC3", "\xC3\xA4\xED\xA0\x80", {}}) ==
        "{\"first\":\"a\xEF\xBF\xBDz\xEF\xBF\xBD\","
        "\"second\":\"\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\",\"bytes\":\"\"}\n");
  CHECK(csv_of(texts{"a\xFFz\xC3", std::string_view("n\0z", 3), {}}) ==
        "first,second,bytes\na\xEF\xBF\xBDz\xEF\xBF\xBD,n\xEF\xBF\xBDz,\n");
}

TEST_CASE("writes any number of bytes") {
  bytes raw;
  std::string hex;
  for (unsigned i = 0; i < 300; ++i) {
    CHECK(json_of(texts{"", "", {raw}}) ==
          "{\"first\":\"\",\"second\":\"\",\"bytes\":\"" + hex + "\"}\n");
    const unsigned value = i * 53 % 256;  // takes every value
    raw.push_back(static_cast<std::byte>(value));
    (hex += "0123456789abcdef"[value >> 4]) += "0123456789abcdef"[value & 15];
  }
}

struct point {
  int x = 1;
  std::uint64_t y = 2;
};
struct written {
  int n = 0;
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.object().key("n").integer(n).key("list").array().null().boolean(false).end_array();
    j.end_object();
  }
};
struct lists {
  std::span<const point> points = {};
  std::span<const std::uint32_t> none = {};
  std::span<const std::uint32_t> one = {};
  written self = {-6};
};

TEST_CASE("writes lists and structs as JSON, which CSV quotes") {
  const std::array<point, 2> two{{{}, {3, 4}}};
  const std::array<std::uint32_t, 1> five{5};
  const lists all{two, {}, five, {-6}};
  const std::string points = R"([{"x":1,"y":"0x2"},{"x":3,"y":"0x4"}])",
                    self = R"({"n":-6,"list":[null,false]})";
  CHECK(json_of(all) ==
        "{\"points\":" + points + ",\"none\":[],\"one\":[5],\"self\":" + self + "}\n");
  CHECK(parse_csv(csv_of(all)) ==
        std::vector<std::vector<std::string>>{{"points", "none", "one", "self"},
                                              {points, "[]", "[5]", self}});
}

struct every_kind {
  std::span<const std::byte> raw = {};
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.array().string("eax").string("").string("a \"b\"").string("\\\n").string("\xC3\xA4\xFF\x7F");
    j.plain("before").bytes(raw).hex(10).object().key("").boolean(true).key("k").array();
    j.end_array().end_object().string("~ !").end_array();
  }
};
struct row_of_kinds {
  every_kind all = {};
};

TEST_CASE("writes all kinds of JSON values, with doubled quotes in CSV") {
  const auto raw = from_hex("9f a0 0a f9 07");
  const std::string all =
      "[\"eax\",\"\",\"a \\\"b\\\"\",\"\\\\\\u000a\",\"\xC3\xA4\xEF\xBF\xBD\\u007f\","
      "\"before\",\"9fa00af907\",\"0xa\",{\"\":true,\"k\":[]},\"~ !\"]";
  const row_of_kinds row{{raw}};
  CHECK(json_of(row) == "{\"all\":" + all + "}\n");
  CHECK(parse_csv(csv_of(row)) == std::vector<std::vector<std::string>>{{"all"}, {all}});
  // A std::string has no extend(), so it is tested separately.
  std::string json, csv;
  rows::json_form::add(json, row);
  rows::csv_form().add(csv, row);
  CHECK(json == json_of(row));
  CHECK("all\n" + csv == csv_of(row));
}
}  // namespace
