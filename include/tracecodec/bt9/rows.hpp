// Instructions of BT9 traces as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>

#include "../rows/columns.hpp"
#include "reader.hpp"

namespace tracecodec::bt9 {

// Row of a branch, or of an instruction between two branches, whose address is estimated. Such an
// instruction has the step, the edge and the node of the branch before it.
struct row {
  std::uint64_t index = 0;  // number of the instruction in the trace
  rows::address ip = {};
  feed::branch_class branch = {};
  bool taken = false;
  rows::address target = {};
  std::uint64_t step = 0;  // index of the edge in the sequence
  std::uint64_t edge = 0, node = 0;
};
inline row row_of(std::uint64_t index, const instruction& i, const graph& g) noexcept {
  return {index,        {i.ip}, i.branch(), i.taken(),
          {i.target()}, i.step, i.edge->id, g.source(*i.edge).id};
}

}  // namespace tracecodec::bt9
