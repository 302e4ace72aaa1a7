// Tests tables as assertions: the text that a table may contain, and the output of print_table.
#include <doctest/doctest.h>
#include <tracecodec/wire/layout/laid_out_as.hpp>

#include "support.hpp"
#include "x64dbg_block.hpp"

using namespace wire_test;

namespace {

struct word_and_more {
  bool sign;
  std::uint8_t rest;
  std::uint32_t value;
};
using more_codec =
    wire::record<wire::fields<wire::bit_slices<std::uint8_t, wire::bits<&word_and_more::sign, 1>,
                                               wire::bits<&word_and_more::rest, 7>>,
                              wire::padding<3>, wire::field<&word_and_more::value>>,
                 wire::order::big>;

// Table in the form that print_table prints.
static_assert(wire::is_laid_out_as<more_codec, R"(
Offset  Size    Field      Type  Byte order
------  ------  ---------  ----  ----------
0       1 bit   sign       u8
0       7 bits  rest       u8
1       3       (padding)
4       4       value      u32   big
)">);
// Comments after the name, between the rows and before them; no heading, and any number of
// blanks.
static_assert(wire::is_laid_out_as<more_codec, R"(The word, and more.
  0  1 bit     sign       of the whole,
                          which is usually clear

  0 7 bits rest
  1 3 (padding)
  ...
  4 4 value)">);
// Bits may be counted from either end. Other rows have offsets.
static_assert(wire::is_laid_out_as<more_codec, R"(
Bits  Width  Field
0     1      sign
1-7   7      rest
1     3      (padding)
4     4      value
)">);
static_assert(wire::is_laid_out_as<more_codec, R"(
Bits  Width  Field
7     1      sign
6-0   7      rest
1     3      (padding)
4     4      value
)">);
// Record that begins at offset 20.
static_assert(wire::is_laid_out_as<more_codec, R"(
20  1 bit   sign
20  7 bits  rest
21  3       (padding)
24  4       value
)",
                                   20>);

// Returns the first rows that differ: the table's and the description's.
template <class Codec> constexpr wire::detail::row_difference difference(std::string_view table) {
  wire::detail::table_comparison c(table, 0, true);
  Codec::describe(c, {});
  c.end();
  return c.difference();
}
template <class Codec>
void check(std::string_view table, std::string_view theirs, std::string_view ours) {
  const auto d = difference<Codec>(table);
  CHECK(d.found);
  CHECK(d.table.view() == theirs);
  CHECK(d.description.view() == ours);
}

TEST_CASE("reports the first row that differs") {
  check<more_codec>("", "no further row", "0 1 bit sign");
  check<more_codec>("0 1 bit sign\n0 7 bits rest\n1 2 (padding) of 0\n3 4 value\n", "1 2 (padding)",
                    "1 3 (padding)");
  check<more_codec>("0 1 bit sign\n0 7 bits rest\n1 3 (padding)\n4 4 values\n", "4 4 values",
                    "4 4 value");
  check<more_codec>("0 1 bit sign\n0 7 bits rest\n1 3 (padding)\n4 4 value\n8 1 more", "8 1 more",
                    "no further row");
  check<more_codec>("0 1 bit sig\n", "0 1 bit sig", "0 1 bit sign");
  check<more_codec>("0 1 bit signs\n", "0 1 bit signs", "0 1 bit sign");
  check<more_codec>("00 1bit sign\n", "00 1bit sign", "0 1 bit sign");
}

}  // namespace
