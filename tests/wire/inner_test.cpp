// Tests records that contain records of their own kind, and records of varying size at a file
// pointer.
#include <doctest/doctest.h>
#include <tracecodec/wire.hpp>

#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;

namespace {

// A box as in MP4: size and type, then boxes to its end.
struct box_codec;
struct box {
  std::uint32_t size;
  std::array<char, 4> type;
  wire::list_view<wire::inner<box, box_codec, 8>> boxes;
};
struct box_codec
    : wire::record<
          wire::fields<wire::computed<&box::size, wire::extent_of<>>, wire::field<&box::type>,
                       wire::sized<[](const box& b) { return b.size < 8 ? 0 : b.size - 8; },
                                   wire::list<&box::boxes>>>,
          wire::order::big> {};

// moov { trak { tkhd, mdia }, udta }
constexpr auto movie =
    hex<"00000028 6d6f6f76"
        "00000018 7472616b 00000008 746b6864 00000008 6d646961"
        "00000008 75647461">;

constexpr std::size_t count_boxes(const box& b) {
  std::size_t n = 1;
  for (const box& inside : b.boxes) n += count_boxes(inside);
  return n;
}

// `depth` boxes, each inside the one before.
std::vector<std::byte> nested(std::size_t depth) {
  std::vector<std::byte> all(8 * depth);
  for (std::size_t i = 0; i < depth; ++i) {
    const std::size_t size = 8 * (depth - i);
    all[8 * i + 2] = static_cast<std::byte>(size >> 8);
    all[8 * i + 3] = static_cast<std::byte>(size & 0xff);
    all[8 * i + 4] = std::byte{'b'};
  }
  return all;
}

}  // namespace

TEST_CASE("a list of its own record is read at every depth, also in constant expressions") {
  constexpr bool read = [] {
    box b{};
    return bool(box_codec::decode(movie, b)) && count_boxes(b) == 5;
  }();
  static_assert(read);

  box b{};
  const auto r = box_codec::decode(movie, b);
  REQUIRE(r);
  CHECK(r.used == movie.size());
  std::vector<std::string> names;
  for (const box& outer : b.boxes) {
    names.emplace_back(outer.type.data(), 4);
    for (const box& inside : outer.boxes) names.emplace_back(inside.type.data(), 4);
  }
  CHECK(names == std::vector<std::string>{"trak", "tkhd", "mdia", "udta"});

  std::array<std::byte, movie.size()> again{};
  CHECK(box_codec::encode(b, again).used == movie.size());
  CHECK(again == movie);
}

TEST_CASE("a damaged inner record is refused with the place of the failing field") {
  auto damaged = movie;
  damaged[8 + 8 + 3] = std::byte{0x20};  // tkhd extends beyond trak
  box b{};
  const auto r = box_codec::decode(damaged, b);
  CHECK(!r);
  CHECK(r.used >= 16);
}

TEST_CASE("records inside one another are limited to the stated depth") {
  box b{};
  const auto fits = nested(9);  // the outermost box, and 8 inside it
  CHECK(box_codec::decode(fits, b));
  const auto deeper = nested(10);
  const auto r = box_codec::decode(deeper, b);
  CHECK(r.error == wire::errc::malformed);
  // Many boxes do not exhaust the stack, and reading can go on afterwards.
  CHECK(box_codec::decode(nested(8000), b).error == wire::errc::malformed);
  CHECK(box_codec::decode(fits, b));
}

// Trees of two kinds, each with its own limit. A branch contains branches and boxes.
struct branch_codec;
struct branch {
  std::uint8_t n;
  wire::list_view<wire::inner<branch, branch_codec, 3>> branches;
  wire::list_view<wire::inner<box, box_codec, 2>> boxes;
};
struct branch_codec
    : wire::record<wire::fields<wire::field<&branch::n>,
                                wire::list<&branch::branches, wire::times<&branch::n>>,
                                wire::prefixed<&branch::boxes, std::uint8_t>>> {};

TEST_CASE("records of other structs do not count towards a limit") {
  // Three branches inside one another, around a box, which is the first of its kind.
  constexpr auto deep = hex<"01 01 01 00 01 00000008 626f7820 00 00 00">;
  branch b{};
  CHECK(branch_codec::decode(deep, b).used == deep.size());
  constexpr auto too_deep = hex<"01 01 01 01 00 00 00 00 00 00">;
  const auto r = branch_codec::decode(too_deep, b);
  CHECK(r.error == wire::errc::malformed);
  CHECK(r.used == 4);
  CHECK(r.field == "branches");
}

TEST_CASE("the path of an error names every inner record") {
  // The second box of the second box of the outermost one is as long as 9 bytes, but has 8.
  constexpr auto damaged =
      hex<"00000030 6d6f6f76 00000008 66726565 00000020 7472616b"
          "00000008 746b6864 00000009 6d646961 00000008 6d696e66">;
  box b{};
  const auto r = box_codec::decode(damaged, b);
  CHECK(r.used == 40);
  CHECK(box_codec::path(damaged).view() == "boxes[1].boxes[1].boxes[0].size");
  // A list that ends too early is a field of the innermost record.
  CHECK(branch_codec::path(hex<"01 02 00 00">).view() == "branches[0].branches");
  CHECK(branch_codec::path(hex<"01 01 01 01 00">).view() ==
        "branches[0].branches[0].branches[0]."
        "branches[0]");
}

// A record of up to 32 lists with long names inside one another.
struct chain_codec;
struct chain {
  wire::list_view<wire::inner<chain, chain_codec>> the_next_record_of_this_chain;
  std::uint8_t value;
};
struct chain_codec
    : wire::record<wire::fields<wire::prefixed<&chain::the_next_record_of_this_chain, std::uint8_t>,
                                wire::field<&chain::value>>> {};

TEST_CASE("a path that is too long keeps its beginning and the failing field") {
  chain c{};
  const std::vector<std::byte> cut(10, std::byte{1});
  CHECK(chain_codec::decode(cut, c).error == wire::errc::truncated);
  std::vector<std::byte> last(11, std::byte{1});
  last.back() = std::byte{0};
  CHECK(chain_codec::path(last).view() ==
        "the_next_record_of_this_chain[0].the_next_record_of_this_chain[0]....value");
}

TEST_CASE("the layout names the inner records once") {
  std::string table;
  wire::print_table(box_codec::layout(), [&](std::string_view s) { table += s; });
  CHECK(table.find("boxes") != std::string::npos);
  CHECK(table.find("record") != std::string::npos);
}

TEST_CASE("decode_at decodes a record of varying size at a file pointer") {
  struct name {
    wire::array_view<wire::character> text;
    std::uint16_t id;
  };
  using name_codec =
      wire::record<wire::fields<wire::terminated<&name::text>, wire::field<&name::id>>>;
  using pointer = wire::file_pointer<name_codec>;
  constexpr auto file = hex<"ffffff 616200 0102">;
  const wire::region<> whole{file};

  name n{};
  const auto r = wire::decode_at(pointer{3}, whole, n);
  REQUIRE(r);
  CHECK(r.used == 5);
  CHECK(wire::as_text(n.text) == "ab");
  CHECK(n.id == 0x201);

  CHECK(wire::decode_at(pointer{9}, whole, n).error == wire::errc::out_of_bounds);
  const auto cut = wire::decode_at(pointer{6}, whole, n);
  CHECK(cut.error == wire::errc::truncated);
  CHECK(cut.used >= 6);
  const auto at_end = wire::decode_at(pointer{8}, whole, n);
  CHECK(at_end.error == wire::errc::truncated);
}
