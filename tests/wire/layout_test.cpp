// Tests layout tables against those of the specifications, row by row.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/types/file_pointer.hpp>

#include "support.hpp"
#include "x64dbg_block.hpp"

namespace champsim = tracecodec::champsim;
using namespace wire_test;
using wire::layout_row;
using wire::order;

namespace {

// Row of a specification's table.
struct expected {
  std::size_t offset, size;
  std::string_view name, type;
};
template <std::size_t R, std::size_t N>
constexpr bool same(const std::array<layout_row, R>& rows, const expected (&want)[N]) {
  if (R != N) return false;
  for (std::size_t i = 0; i < N; ++i)
    if (rows[i].offset != want[i].offset || rows[i].size != want[i].size ||
        rows[i].name.view() != want[i].name || rows[i].type.view() != want[i].type ||
        rows[i].variable_offset || rows[i].slice || rows[i].counted || rows[i].conditional)
      return false;
  return true;
}

// Table of the ChampSim guide: offset, size, field.
constexpr expected champsim_rows[] = {{0, 8, "ip", "u64"},
                                      {8, 1, "is_branch", "u8"},
                                      {9, 1, "branch_taken", "u8"},
                                      {10, 2, "destination_registers", "u8[2]"},
                                      {12, 4, "source_registers", "u8[4]"},
                                      {16, 16, "destination_memory", "u64[2]"},
                                      {32, 32, "source_memory", "u64[4]"}};
static_assert(same(wire::layout_table<champsim::instruction_codec>, champsim_rows));

// formats/champsim.md: ip@0, is_branch@8, ... 6 pad@18, ... asid[2]@88, 6 pad@90.
constexpr expected cloudsuite_rows[] = {{0, 8, "ip", "u64"},
                                        {8, 1, "is_branch", "u8"},
                                        {9, 1, "branch_taken", "u8"},
                                        {10, 4, "destination_registers", "u8[4]"},
                                        {14, 4, "source_registers", "u8[4]"},
                                        {18, 6, "(padding)", ""},
                                        {24, 32, "destination_memory", "u64[4]"},
                                        {56, 32, "source_memory", "u64[4]"},
                                        {88, 2, "asid", "u8[2]"},
                                        {90, 6, "(padding)", ""}};
static_assert(same(wire::layout_table<champsim::cloudsuite_codec>, cloudsuite_rows));

// UMTracer's insRec, from its specification. pad[8] at the end makes 64 bytes.
struct decoded_instruction;
struct extra;
struct instruction {
  std::int64_t id;
  std::int8_t type;
  bool is_64_bit;
  std::int8_t code_size;
  std::int32_t module_id;
  std::int64_t address;
  std::array<std::uint8_t, 15> code_bytes;
  wire::file_pointer<char, extra> disassembly;
  wire::file_pointer<decoded_instruction, extra, std::int64_t> decoded;
  std::array<std::uint8_t, 8> pad;
};
using instruction_codec = wire::record<instruction, order::little, wire::placement::natural>;
constexpr expected instruction_rows[] = {{0, 8, "id", "i64"},
                                         {8, 1, "type", "i8"},
                                         {9, 1, "is_64_bit", "u8"},
                                         {10, 1, "code_size", "i8"},
                                         {11, 1, "(padding)", ""},
                                         {12, 4, "module_id", "i32"},
                                         {16, 8, "address", "i64"},
                                         {24, 15, "code_bytes", "u8[15]"},
                                         {39, 1, "(padding)", ""},
                                         {40, 8, "disassembly", "u64 pointer"},
                                         {48, 8, "decoded", "i64 pointer"},
                                         {56, 8, "pad", "u8[8]"}};
static_assert(instruction_codec::size == 64);
static_assert(same(wire::layout_table<instruction_codec>, instruction_rows));

// Nested records are shown field by field, including their padding.
struct slot {
  std::uint16_t name;
  std::uint8_t width;
};
struct context {
  std::uint8_t count;
  slot first;
  std::array<slot, 2> others;
};
struct frame {
  std::uint32_t id;
  context before;
};
using frame_codec = wire::record<frame, order::big, wire::placement::natural>;
constexpr expected frame_rows[] = {{0, 4, "id", "u32"},
                                   {4, 1, "before.count", "u8"},
                                   {5, 1, "before.(padding)", ""},
                                   {6, 2, "before.first.name", "u16"},
                                   {8, 1, "before.first.width", "u8"},
                                   {9, 1, "before.first.(padding)", ""},
                                   {10, 8, "before.others", "record[2]"},
                                   {18, 2, "(padding)", ""}};
static_assert(same(wire::layout_table<frame_codec>, frame_rows));

TEST_CASE("layouts equal the tables of the specifications") {
  CHECK(same(champsim::instruction_codec::layout(), champsim_rows));
  CHECK(same(champsim::cloudsuite_codec::layout(), cloudsuite_rows));
  CHECK(same(instruction_codec::layout(), instruction_rows));
  CHECK(same(frame_codec::layout(), frame_rows));
}

TEST_CASE("each row of the table locates the bytes of its member") {
  // Bytes of 1 at a row's offset and nowhere else must affect only that member.
  for (const layout_row& row : wire::layout_table<champsim::cloudsuite_codec>) {
    std::array<byte, 96> bytes{};
    for (std::size_t i = 0; i < row.size; ++i) bytes[row.offset + i] = byte{1};
    const auto record = champsim::cloudsuite_codec::decode(bytes);
    champsim::cloudsuite_codec::walk(record, [&](std::string_view name, const auto& v) {
      const bool is_zero = v == std::remove_cvref_t<decltype(v)>{};
      CHECK(is_zero == (name != row.name.view()));
    });
  }
}

TEST_CASE("rows have a byte order only if they are wider than one byte") {
  CHECK(wire::layout_table<frame_codec>[0].has_order);
  CHECK(wire::layout_table<frame_codec>[0].byte_order == order::big);
  CHECK(!wire::layout_table<frame_codec>[1].has_order);
  CHECK(wire::layout_table<frame_codec>[3].byte_order == order::big);
  CHECK(wire::layout_table<instruction_codec>[6].byte_order == order::little);
  CHECK(!wire::layout_table<instruction_codec>[7].has_order);
  CHECK(wire::layout_table<instruction_codec>[9].has_order);
}

// RapidBin's event: bits are counted from the least significant, and all slices of a word have
// offset 0.
struct event {
  bool sign;
  std::uint16_t location;
  std::uint64_t decor;
  std::uint8_t operation;
  std::uint16_t thread;
};
using event_codec =
    wire::record<wire::fields<wire::bit_slices<
                     std::uint64_t, wire::bits<&event::sign, 1>, wire::bits<&event::location, 15>,
                     wire::bits<&event::decor, 34>, wire::bits<&event::operation, 4>,
                     wire::bits<&event::thread, 10>>>,
                 order::big>;

TEST_CASE("rows of bit slices state their highest and lowest bit") {
  const auto& rows = wire::layout_table<event_codec>;
  static_assert(rows.size() == 5);
  struct slice {
    std::string_view name;
    unsigned high, low;
  };
  // The specification calls the most significant bit 0: its bits 16-50 are 47 down to 14.
  const slice want[] = {{"sign", 63, 63},
                        {"location", 62, 48},
                        {"decor", 47, 14},
                        {"operation", 13, 10},
                        {"thread", 9, 0}};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(rows[i].slice);
    CHECK(rows[i].offset == 0);
    CHECK(rows[i].name.view() == want[i].name);
    CHECK(rows[i].high_bit == want[i].high);
    CHECK(rows[i].low_bit == want[i].low);
    CHECK(rows[i].byte_order == order::big);
    CHECK(rows[i].type.view() == "u64");
  }
}

TEST_CASE("rows of a variable record have offsets up to the first variable item") {
  const auto& rows = wire::layout_table<block_codec<wire::target::x86>>;
  static_assert(rows.size() == 14);
  CHECK(rows[2].name.view() == "accesses");
  CHECK(rows[2].offset == 2);
  CHECK(rows[3].name.view() == "has_thread");
  CHECK(rows[5].name.view() == "opcode_length");
  CHECK(rows[5].offset == 3);
  CHECK(!rows[5].variable_offset);
  CHECK(rows[6].name.view() == "thread");
  CHECK(rows[6].conditional);
  CHECK(!rows[6].variable_offset);
  CHECK(rows[6].offset == 4);
  for (std::size_t i = 7; i < 14; ++i) CHECK(rows[i].variable_offset);
  CHECK(rows[9].name.view() == "values");
  CHECK(rows[9].counted);
  CHECK(rows[9].size == 4);
  CHECK(rows[9].count.view() == "registers");
  CHECK(rows[9].type.view() == "u32");
  CHECK(rows[13].name.view() == "new_values");
  CHECK(rows[13].count.view() == "computed");
}

// Several items under one condition follow one another.
struct maybe {
  std::uint8_t flags;
  std::uint32_t first;
  std::uint16_t second;
  slot third;
  wire::array_view<wire::u8> data;
  std::uint8_t last;
};
using maybe_codec = wire::record<
    wire::fields<wire::section<wire::field<&maybe::flags>>,
                 wire::section<wire::when<
                     &maybe::flags, wire::field<&maybe::first>, wire::padding<2>,
                     wire::field<&maybe::second>, wire::field<&maybe::third>,
                     wire::counted<&maybe::data, &maybe::flags>, wire::field<&maybe::last>>>>>;

TEST_CASE("rows under one condition are marked as conditional") {
  const auto& rows = wire::layout_table<maybe_codec>;
  static_assert(rows.size() == 8);
  const std::size_t offsets[] = {0, 1, 5, 7, 9, 11, 12};
  for (std::size_t i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(rows[i].offset == offsets[i]);
    CHECK(rows[i].conditional == (i != 0));
    CHECK(!rows[i].variable_offset);
  }
  CHECK(rows[2].name.view() == "(padding)");
  CHECK(rows[5].name.view() == "third.width");
  CHECK(rows[6].counted);
  CHECK(rows[7].variable_offset);
}

}  // namespace
