// One of two translation units that include every header, in opposite orders. This tests that
// nothing is defined twice, that no header depends on the ones before it, and that both units
// see the same definitions.
#include "ascending.hpp"

#include <cstdio>

std::size_t rows_in_second_unit();
const void* table_in_second_unit();

int main() {
  namespace champsim = tracecodec::champsim;
  const auto& table = tracecodec::wire::layout_table<champsim::cloudsuite_codec>;
  const bool same = table.size() == rows_in_second_unit() && table.data() == table_in_second_unit();
  if (!same) std::puts("the two units have a layout table each");
  return same ? 0 : 1;
}
