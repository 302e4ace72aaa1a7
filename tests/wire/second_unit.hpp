// Declarations that the two translation units of the linking test share.
#pragma once
#include <cstddef>
#include <string_view>

namespace wire_test {

struct seen {
  const void* table;
  std::size_t rows;
  std::string_view name;
};
// Returns ChampSim's layout table as the other translation unit sees it.
seen seen_by_second_unit();

}  // namespace wire_test
