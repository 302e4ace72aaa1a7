// One of two translation units that include every header, in opposite orders: nothing may be defined
// twice, no header may mind which ones come before it, and both must see the same.
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
