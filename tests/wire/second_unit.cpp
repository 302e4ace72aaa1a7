// Second translation unit, which includes the headers and uses the entities of the first one.
#include "second_unit.hpp"

#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire.hpp>

namespace wire_test {

seen seen_by_second_unit() {
  using tracecodec::champsim::instruction_codec;
  const auto& rows = tracecodec::wire::layout_table<instruction_codec>;
  return {rows.data(), rows.size(), rows[0].name.view()};
}

}  // namespace wire_test
