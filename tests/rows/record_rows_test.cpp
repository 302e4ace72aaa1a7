// Tests rows of records that a table describes: the names of the columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support.hpp"
#include "tracecodec/file/record_table.hpp"
#include "tracecodec/rows/record_rows.hpp"

namespace file = tracecodec::file;
namespace rows = tracecodec::rows;

namespace {

// Returns the text for one record of zeros.
template <class Form> std::string described_text(const file::record_table& table, Form form) {
  test::bytes out;
  rows::row_writer<rows::record_row, Form> writer(std::make_unique<test::vector_sink>(out),
                                                  std::move(form));
  const std::vector<std::byte> record(table.size());
  writer.write(rows::record_row{7, record.data()});
  writer.finish();
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}
std::string described_csv(const char* text, bool guard = false) {
  const file::record_table table = file::parse_record_table(text, "t");
  const std::string all = described_text(table, rows::record_csv_form(table, guard));
  const auto cells = test::parse_csv(all);
  CHECK(cells.size() == 2);
  CHECK(cells[0].size() == cells[1].size());
  CHECK(std::set<std::string>(cells[0].begin(), cells[0].end()).size() == cells[0].size());
  return all.substr(0, all.find('\n'));
}
std::string described_json(const char* text) {
  const file::record_table table = file::parse_record_table(text, "t");
  return described_text(table, rows::record_json_form(table));
}

}  // namespace

TEST_CASE("columns have distinct names") {
  CHECK(described_csv("0 8 ip u64\n8 2 a u8[2]") == "index,ip,a_0,a_1");
  CHECK(described_csv("0 8 ip u64\n8 2 index u16") == "record_index,ip,index");
  CHECK(described_json("0 8 ip u64\n8 2 index u16") ==
        "{\"record_index\":7,\"ip\":\"0x0\",\"index\":0}\n");
  CHECK(described_csv("0 2 index u8[2]") == "record_index,index_0,index_1");
  CHECK(described_json("0 2 index u8[2]") == "{\"record_index\":7,\"index\":[0,0]}\n");
  CHECK(described_csv("0 1 index u8\n1 1 record_index u8\n2 1 record_index_ u8") ==
        "record_index__,index,record_index,record_index_");
  CHECK(described_csv("0 2 a u8[2]\n2 1 a_1 u8") == "index,a__0,a__1,a_1");
  CHECK(described_csv("0 2 a u8[2]\n2 1 a_1 u8\n3 1 a__0 u8\n4 1 a_b u8") ==
        "index,a___0,a___1,a_1,a__0,a_b");
}

TEST_CASE("can guard names that a spreadsheet would treat as formulas") {
  constexpr const char* text =
      "0 1 =cmd|'/c'!A0 u8\n1 1 +1 u8\n2 1 -1 u8\n3 2 @SUM(A1) u8[2]\n5 1 a=b u8";
  CHECK(described_csv(text) == "index,=cmd|'/c'!A0,+1,-1,@SUM(A1)_0,@SUM(A1)_1,a=b");
  CHECK(described_csv(text, true) == "index,'=cmd|'/c'!A0,'+1,'-1,'@SUM(A1)_0,'@SUM(A1)_1,a=b");
}
