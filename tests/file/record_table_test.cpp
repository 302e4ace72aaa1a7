// Tests records that a table describes at run time, against values and messages written by
// hand.
#include <doctest/doctest.h>

#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/wire/table.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace {
using namespace tracecodec;
using file::column_kind;
using file::parse_record_table;

constexpr const char* mixed = R"(
A record of a tracer that nobody knows.
Offset  Size     Field    Type    Byte order
------  -------  -------  ------  ----------
0       2        flags    u16     big         what it was
2       1        taken    bool
3       3        place    i24     little
6       8        ratios   f32[2]  big
14      2        (padding)
16      1 bit    top      u32     big
16      30 bits  middle   u32     big
16      1 bit    low      u32     big
24      8        ip       u64
)";

std::vector<std::byte> raw(std::initializer_list<unsigned> all) {
  std::vector<std::byte> b;
  for (const unsigned v : all) b.push_back(static_cast<std::byte>(v));
  return b;
}
std::string said(const std::string& text) {
  try {
    parse_record_table(text, "t");
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::bad_value);
    CHECK(e.file() == "t");
    return e.what();
  }
  return "nothing";
}
}  // namespace

TEST_CASE("ignores a byte order mark before a table") {
  const auto t = parse_record_table(
      "\xEF\xBB\xBF"
      "0 8 ip u64\n8 1 taken bool\n",
      "t");
  CHECK(t.columns().size() == 2);
}

TEST_CASE("reads a table with every kind of field") {
  const auto t = parse_record_table(mixed, "t");
  CHECK(t.size() == 32);
  REQUIRE(t.columns().size() == 8);
  const auto record = raw({0x12, 0x34, 1, 0xFE, 0xFF, 0xFF, 0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0, 9, 9,
                           0x80, 0,    0, 5,    9,    9,    9,    9,    8, 7, 6,    5, 4, 3, 2, 1});
  const auto value = [&](const char* name, std::size_t i = 0) {
    REQUIRE(t.find(name) != nullptr);
    return t.find(name)->load(record.data(), i);
  };
  CHECK(value("flags") == 0x1234);
  CHECK(value("taken") == 1);
  CHECK(t.find("taken")->kind == column_kind::boolean);
  CHECK(static_cast<std::int64_t>(value("place")) == -2);
  CHECK(value("ratios", 0) == 0x3F800000);  // 1.0
  CHECK(value("ratios", 1) == 0xC0000000);  // -2.0
  CHECK(t.find("ratios")->array);
  CHECK(value("top") == 1);
  CHECK(value("middle") == 2);
  CHECK(value("low") == 1);
  CHECK(value("ip") == 0x0102030405060708);
  CHECK(t.find("(padding)") == nullptr);
}

TEST_CASE("reads the table that a description prints") {
  std::string text;
  wire::print_table(champsim::cloudsuite_codec::layout(), [&](std::string_view s) { text += s; });
  const auto t = parse_record_table(text, "t");
  CHECK(t.size() == champsim::cloudsuite_codec::size);
  const champsim::cloudsuite_instruction r{7,      1,         0,    {1, 2, 3, 4},
                                           {5, 6}, {8, 0, 9}, {10}, {11, 12}};
  std::array<std::byte, 96> b{};
  champsim::cloudsuite_codec::encode(r, b);
  CHECK(t.find("ip")->load(b.data()) == 7);
  CHECK(t.find("source_registers")->load(b.data(), 1) == 6);
  CHECK(t.find("destination_memory")->load(b.data(), 2) == 9);
  CHECK(t.find("asid")->load(b.data(), 1) == 12);
}

TEST_CASE("reports mistakes in a table with their line") {
  CHECK(said("") == "t: not a table of a record: no line begins with an offset");
  CHECK(said("\n0 8 a u8\n").find("line 2: size: 8, but the type has 1 bytes") !=
        std::string::npos);
  CHECK(said("0 8 a q8").find("line 1: type: unknown, 'q8'") != std::string::npos);
  CHECK(said("0 8 a u").find("type: unknown") != std::string::npos);
  CHECK(said("0 9 a u72").find("type: unknown") != std::string::npos);
  CHECK(said("0 8 a").find("type: missing") != std::string::npos);
  for (const char* order : {"Big", "be", "middle", "big,"})
    CHECK(said(std::string("0 8 a u64 ") + order) ==
          std::string("t: field a: line 1: byte order: expected little or big, got '") + order +
              "'");
  CHECK(said("0 1 a u8 Big, or whatever is told") == "nothing");
  CHECK(said("0 8").find("field: the name is missing") != std::string::npos);
  CHECK(said("0 x a u8").find("size: expected a number up to 1048576, got 'x'") !=
        std::string::npos);
  CHECK(said("0 0 a u8").find("size: a field has at least one byte") != std::string::npos);
  CHECK(said("0 8 a u64\n4 4 b u32").find("line 2: offset: 4, but the preceding row ends at 8") !=
        std::string::npos);
  CHECK(said("0 1 a u8\n1 1 a u8").find("line 2: field: the name occurs twice") !=
        std::string::npos);
  CHECK(said("0 0 bits a u8").find("a field has at least one byte") != std::string::npos);
  CHECK(said("0 3 bits a u8\n1 1 b u8").find("line 2: bits: the slices leave 5 bits") !=
        std::string::npos);
  CHECK(said("0 3 bits a u8").find("leave 5 bits") != std::string::npos);
  CHECK(said("0 9 bits a u8").find("size: bits left in the word: 8") != std::string::npos);
  CHECK(said("0 65 bits a u64").find("a word has at most 64 bits") != std::string::npos);
  CHECK(said("0 8 bits a u8[1]").find("a bit slice needs an integer type") != std::string::npos);
  CHECK(said("varies 8 a u8").find("only records of fixed size") != std::string::npos);
  CHECK(said("0 4 a u8[0]").find("an array without elements") != std::string::npos);
  CHECK(said("0 4 a u8[4").find("type: unknown") != std::string::npos);
  CHECK(said("0 1 a\x1b[31m u8").find("names consist of letters") != std::string::npos);
  CHECK(said("1048576 8 a u64").find("a record has 1048576 bytes at most") != std::string::npos);
  CHECK(said("99999999999999999999 8 a u64").find("offset: expected a number") !=
        std::string::npos);
  // A size that overflows 64 bits is not mistaken for a small size.
  CHECK(said("0 8 a u64[2305843009213693953]").find("type: expected a number up to 1048576") !=
        std::string::npos);
}

TEST_CASE(
    "a described file truncated at any byte delivers its whole records, then names the field") {
  const auto t = std::make_shared<const file::record_table>(
      parse_record_table("0 4 a u32 big\n4 2 (padding)\n6 2 b u16\n8 1 c u8", "t"));
  std::vector<std::byte> all(27);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::byte>(i);
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    for (const bool skipping : {false, true}) {
      file::table_reader in(io::open_bytes(std::span(all).first(cut), "f"), t);
      std::string what;
      std::size_t n = 0;
      try {
        if (skipping) n += static_cast<std::size_t>(in.skip(2));
        for (auto b = in.next(2); !b.empty(); b = in.next(2)) n += b.size() / 9;
      } catch (const trace_error& e) {
        what = e.what();
      }
      CHECK(n == cut / 9);
      const std::size_t rest = cut % 9;
      if (cut == 0) {
        CHECK(what == "f: offset 0: empty, expected records of 9 bytes");
      } else if (rest == 0) {
        CHECK(what.empty());
      } else {
        const std::size_t field_at = rest < 4 ? 0 : rest < 6 ? rest : rest < 8 ? 6 : 8;
        CHECK(what == "f: offset " + std::to_string(cut - rest + field_at) + ", record " +
                          std::to_string(cut / 9) + ", field " +
                          (rest < 4   ? "a"
                           : rest < 8 ? "b"
                                      : "c") +
                          ": the trace ends inside the record, after " + std::to_string(rest) +
                          " of 9 bytes");
      }
    }
  }
}
