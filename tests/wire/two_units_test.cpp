// Tests that two translation units that include everything link, and share the tables.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire.hpp>

#include "second_unit.hpp"

TEST_CASE("two translation units share one layout table") {
  using tracecodec::champsim::instruction_codec;
  const auto& rows = tracecodec::wire::layout_table<instruction_codec>;
  const wire_test::seen other = wire_test::seen_by_second_unit();
  CHECK(other.table == static_cast<const void*>(rows.data()));
  CHECK(other.rows == rows.size());
  CHECK(other.name == "ip");
}
