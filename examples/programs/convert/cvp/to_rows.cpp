// Converts CVP-1 and CBP2025 traces to text rows.
#include <tracecodec/cvp/rows.hpp>

#include <utility>

#include "../write_rows.hpp"
#include "conversion.hpp"
#include "instructions.hpp"

namespace convert {

void cvp_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  refuse_improvements(o);
  with_instructions(std::move(in), [&](auto& from, auto dialect) {
    with_rows<cvp::row<dialect()>>(o, compression, [&](auto& out) {
      return for_each_selected(
          from, o, [&](std::uint64_t index, const auto& i) { out.write(cvp::row_of(index, i)); });
    });
  });
}

}  // namespace convert
