// Tests ranges of tags, and records in which an alternative is chosen at compile time.
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/layout/laid_out_as.hpp>
#include <tracecodec/wire/rules/chosen.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Blocks of x64dbg's trace format. Type 0 is an instruction, and types from 0x80 on belong to
// plug-ins.
struct block {
  std::uint8_t type{};
  std::uint8_t count{};
  std::uint8_t flags{};
  wire::array_view<wire::u16le> values;
  std::uint32_t size{};
  wire::array_view<wire::u8> data;
  std::uint16_t crc{};
};
using any_codec = wire::record<
    wire::fields<wire::field<&block::type>,
                 wire::choice<&block::type,
                              wire::on<0, wire::field<&block::count>, wire::field<&block::flags>,
                                       wire::counted<&block::values, &block::count>>,
                              wire::on_range<0x80, 0xFF, wire::field<&block::size>,
                                             wire::counted<&block::data, &block::size>>>,
                 wire::field<&block::crc>>>;
using instruction_codec = wire::chosen<any_codec, 0>;
using user_codec = wire::chosen<any_codec, 0x80>;

static_assert(instruction_codec::front_size == 3);
static_assert(instruction_codec::offset_of<&block::flags> == 2);
static_assert(user_codec::front_size == 5);
static_assert(wire::is_laid_out_as<instruction_codec, R"(
0       1          type
1       1          count
2       1          flags
3       2 x count  values
varies  2          crc
)">);
static_assert(wire::is_laid_out_as<user_codec, R"(
0       1         type
1       4         size
5       1 x size  data
varies  2         crc
)">);
static_assert(std::is_same_v<user_codec::value_type, block>);

static_assert(std::is_same_v<wire::chosen_with<any_codec, &block::data>, user_codec>);

// Tag that is an enumeration, members in several alternatives, and an alternative without
// items.
enum class kind : std::uint16_t { none, first = 1, second, last = 4, text = 9 };
struct noted {
  kind what{};
  std::uint8_t id{}, code{};
  wire::array_view<wire::character> text;
};
using noted_codec = wire::record<
    wire::fields<
        wire::field<&noted::what>,
        wire::choice<&noted::what, wire::on<kind::none>,
                     wire::on_range<kind::first, kind::last, wire::field<&noted::id>,
                                    wire::field<&noted::code>>,
                     wire::otherwise<wire::field<&noted::id>, wire::terminated<&noted::text>>>>,
    wire::order::big>;
static_assert(wire::chosen<noted_codec, kind::none>::size == 2);
static_assert(wire::chosen<noted_codec, kind::second>::size == 4);
static_assert(wire::chosen<noted_codec, kind::text>::front_size == 3);
static_assert(!wire::chosen<noted_codec, 77>::fixed);
static_assert(std::is_same_v<wire::chosen_with<noted_codec, &noted::id>,
                             wire::chosen<noted_codec, kind::first>>);

// Tag in a nested record.
struct head {
  std::uint8_t type, flags;
};
struct tagged {
  head first;
  std::uint16_t id;
  [[nodiscard]] constexpr unsigned kind() const { return first.type >> 4U; }
};
using tagged_codec = wire::record<wire::fields<
    wire::field<&tagged::first>,
    wire::choice<&tagged::kind, wire::on<1>, wire::on_range<2U, 4U, wire::field<&tagged::id>>>>>;
static_assert(wire::chosen_with<tagged_codec, &tagged::id>::offset_of<&tagged::id> == 2);
static_assert(wire::tag_has<tagged_codec, &tagged::id>(3) &&
              !wire::tag_has<tagged_codec, &tagged::id>(1));

// Several tags for one alternative, as numbers and as texts.
struct entry {
  std::uint8_t tag;
  std::array<char, 2> text;
  std::uint8_t byte;
  std::uint16_t word;
};
using entry_codec = wire::record<wire::fields<
    wire::field<&entry::tag>, wire::field<&entry::text>,
    wire::choice<&entry::tag, wire::on<1, wire::field<&entry::byte>>,
                 wire::on_any<wire::values<7, 8, 16>, wire::field<&entry::word>>>,
    wire::when<&entry::tag, wire::choice<&entry::text, wire::on_any<wire::values<"ab", "cd">>,
                                         wire::otherwise<wire::literal<"!">>>>>>;
static_assert(wire::tag_has<
              wire::record<wire::fields<
                  wire::field<&entry::tag>, wire::field<&entry::text>,
                  wire::choice<&entry::tag, wire::on<1, wire::field<&entry::byte>>,
                               wire::on_any<wire::values<7, 8, 16>, wire::field<&entry::word>>>>>,
              &entry::word>(16));

}  // namespace

TEST_CASE("several values of a tag select one alternative") {
  CHECK(comes_back<entry_codec>(hex<"01 6162 05">).byte == 5);
  for (const int tag : {7, 8, 16}) {
    auto bytes = hex<"07 6364 0201">;
    bytes[0] = static_cast<byte>(tag);
    CHECK(comes_back<entry_codec>(bytes).word == 0x102);
  }
  comes_back<entry_codec>(hex<"08 6162 0201">);
  comes_back<entry_codec>(hex<"08 6164 0201 21">);
  CHECK(refused<entry_codec>(hex<"09 6162 0201">) == refusal{errc::invalid_value, "tag", 0});
  CHECK(refused<entry_codec>(hex<"08 6164 0201 22">) ==
        refusal{errc::invalid_value, "(literal)", 5});
}

TEST_CASE("a range of tags selects one alternative") {
  const block b = comes_back<any_codec>(hex<"00 02 07 0100 0200 abcd">);
  CHECK(b.flags == 7);
  CHECK(b.values[1] == 2);
  for (const int type : {0x80, 0x81, 0xFE, 0xFF}) {
    auto bytes = hex<"80 03000000 aabbcc abcd">;
    bytes[0] = static_cast<byte>(type);
    CHECK(comes_back<any_codec>(bytes).data.size() == 3);
  }
  for (const int type : {0x01, 0x7F}) {
    auto bytes = hex<"80 03000000 aabbcc abcd">;
    bytes[0] = static_cast<byte>(type);
    CHECK(refused<any_codec>(bytes) == refusal{errc::invalid_value, "type", 0});
    block none{};
    none.type = static_cast<std::uint8_t>(type);
    std::array<byte, 16> out{};
    CHECK(any_codec::encode(none, out).error == errc::invalid_value);
  }
  CHECK(comes_back<noted_codec>(hex<"0001 0708">).code == 8);
  CHECK(comes_back<noted_codec>(hex<"0003 0708">).id == 7);
  CHECK(comes_back<noted_codec>(hex<"0004 0708">).id == 7);
  CHECK(comes_back<noted_codec>(hex<"0005 07 6100">).text.size() == 1);
  comes_back<noted_codec>(hex<"0000">);
  CHECK(comes_back<tagged_codec>(hex<"4101 2211">).id == 0x1122);
}

TEST_CASE("a record with a chosen alternative decodes and encodes only that alternative") {
  CHECK(comes_back<instruction_codec>(hex<"00 02 07 0100 0200 abcd">).crc == 0xcdab);
  CHECK(comes_back<user_codec>(hex<"93 03000000 aabbcc abcd">).type == 0x93);
  CHECK(comes_back<wire::chosen<noted_codec, kind::text>>(hex<"0009 07 616200">).text.size() == 2);
  // The tag remains a field, because the caller has examined it.
  CHECK(comes_back<instruction_codec>(hex<"93 00 07 abcd">).type == 0x93);
  // Members of the alternatives that were not chosen stay unchanged.
  block b{};
  b.size = 5;
  CHECK(instruction_codec::decode(hex<"00 00 07 abcd">, b));
  CHECK(b.size == 5);
  std::string names;
  instruction_codec::walk(
      b, [&names](std::string_view name, const auto&) { names.append(name).append(" "); });
  CHECK(names == "type count flags values crc ");
}

TEST_CASE("reports which members belong to a tag") {
  static_assert(wire::tag_has<any_codec, &block::size>(0x80));
  static_assert(!wire::tag_has<any_codec, &block::size>(0));
  static_assert(!wire::tag_has<any_codec, &block::size>(0x7F));
  static_assert(wire::tag_has<any_codec, &block::values>(0));
  using wire::tag_has;
  CHECK(!tag_has<noted_codec, &noted::id>(kind::none));
  CHECK(tag_has<noted_codec, &noted::id>(kind::second));
  CHECK(!tag_has<noted_codec, &noted::text>(kind::second));
  CHECK(tag_has<noted_codec, &noted::text>(kind::text));
}

TEST_CASE("writes the front of a record separately from the rest") {
  block b{};
  b.type = 0x93;
  b.size = 0x01020304;
  std::array<byte, user_codec::front_size> front{};
  user_codec::store_front(b, front);
  CHECK(hex_of(front) == "9304030201");
  block back{};
  const auto r = user_codec::decode(front, back);
  CHECK(r.error == errc::truncated);
  CHECK(r.field == "data");
  CHECK(r.used == user_codec::front_size);
  CHECK(back.size == b.size);
}
