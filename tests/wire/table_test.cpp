// Tests tables as text and as Markdown, character by character.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/table.hpp>

#include <string>

#include "support.hpp"
#include "x64dbg_block.hpp"

using namespace wire_test;

namespace {

template <class Codec> std::string printed() {
  std::string s;
  wire::print_table(wire::layout_table<Codec>, [&](std::string_view piece) { s += piece; });
  return s;
}
template <class Codec> std::string markdown() {
  std::string s;
  wire::print_markdown(wire::layout_table<Codec>, [&](std::string_view piece) { s += piece; });
  return s;
}

// The first three columns are those of the guide, except for their widths.
TEST_CASE("prints the table of ChampSim's record") {
  CHECK(printed<tracecodec::champsim::instruction_codec>() ==
        "Offset  Size  Field                  Type    Byte order\n"
        "------  ----  ---------------------  ------  ----------\n"
        "0       8     ip                     u64     little\n"
        "8       1     is_branch              u8\n"
        "9       1     branch_taken           u8\n"
        "10      2     destination_registers  u8[2]\n"
        "12      4     source_registers       u8[4]\n"
        "16      16    destination_memory     u64[2]  little\n"
        "32      32    source_memory          u64[4]  little\n");
}

struct bits {
  bool sign;
  std::uint8_t rest;
  std::uint32_t value;
};
using bits_codec =
    wire::record<wire::fields<wire::bit_slices<std::uint8_t, wire::bits<&bits::sign, 1>,
                                               wire::bits<&bits::rest, 7>>,
                              wire::padding<3>, wire::field<&bits::value>>,
                 wire::order::big>;

TEST_CASE("prints bits and padding as text and as Markdown") {
  CHECK(printed<bits_codec>() ==
        "Offset  Size    Field      Type  Byte order\n"
        "------  ------  ---------  ----  ----------\n"
        "0       1 bit   sign       u8\n"
        "0       7 bits  rest       u8\n"
        "1       3       (padding)\n"
        "4       4       value      u32   big\n");
  CHECK(markdown<bits_codec>() ==
        "| Offset | Size | Field | Type | Byte order |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| 0 | 1 bit | sign | u8 |  |\n"
        "| 0 | 7 bits | rest | u8 |  |\n"
        "| 1 | 3 | (padding) |  |  |\n"
        "| 4 | 4 | value | u32 | big |\n");
}

TEST_CASE("prints the table of an x64dbg block as Markdown") {
  CHECK(markdown<block_codec<wire::target::x64>>() ==
        "| Offset | Size | Field | Type | Byte order |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| 0 | 1 | type | u8 |  |\n"
        "| 1 | 1 | registers | u8 |  |\n"
        "| 2 | 1 | accesses | u8 |  |\n"
        "| 3 | 1 bit | has_thread | u8 |  |\n"
        "| 3 | 3 bits | reserved | u8 |  |\n"
        "| 3 | 4 bits | opcode_length | u8 |  |\n"
        "| 4 | 0 or 4 | thread | u32 | little |\n"
        "| varies | 1 x opcode_length | opcode | u8 |  |\n"
        "| varies | 1 x registers | positions | u8 |  |\n"
        "| varies | 8 x registers | values | u64 | little |\n"
        "| varies | 1 x accesses | flags | u8 |  |\n"
        "| varies | 8 x accesses | addresses | u64 | little |\n"
        "| varies | 8 x accesses | old_values | u64 | little |\n"
        "| varies | 8 x computed | new_values | u64 | little |\n");
}

// Names that are longer than the printer's run of spaces. The columns must stay aligned.
struct innermost {
  std::uint8_t the_member_with_the_longest_name_of_all_the_members_of_the_struct;
};
struct around {
  std::uint8_t a;
  innermost a_nested_record;
};
TEST_CASE("long names keep the columns aligned") {
  const std::string name =
      "a_nested_record.the_member_with_the_longest_name_of_all_the_members_of_the_struct";
  CHECK(printed<wire::record<around>>() ==
        "Offset  Size  Field" + std::string(name.size() - 5, ' ') + "  Type  Byte order\n" +
            "------  ----  " + std::string(name.size(), '-') + "  ----  ----------\n" +
            "0       1     a" + std::string(name.size() - 1, ' ') + "  u8\n" + "1       1     " +
            name + "  u8\n");
}

// Returns the whole table, at compile time.
constexpr auto at_compile_time() {
  struct {
    std::array<char, 256> chars{};
    std::size_t length = 0;
  } out;
  wire::print_markdown(wire::layout_table<bits_codec>, [&](std::string_view piece) {
    for (const char c : piece) out.chars[out.length++] = c;
  });
  return out;
}
constexpr auto bits_table = at_compile_time();
static_assert(std::string_view(bits_table.chars.data(), bits_table.length).substr(46, 31) ==
              "| --- | --- | --- | --- | --- |");

}  // namespace
