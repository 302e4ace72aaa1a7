// Packed records as rows of text (rows/): JSON lines and CSV. The rows include machine code if it
// is known.
#pragma once
#include <cstdint>
#include <utility>

#include "../rows/columns.hpp"
#include "feed.hpp"

namespace tracecodec::tracepack {

// Row of a record. The row has the members of champsim::row, and the machine code, which is empty
// if unknown. `Disassembly` is a string type, or rows::absent.
template <champsim::trace_record R, class Disassembly = rows::absent> struct row {
  std::uint64_t index = 0;
  rows::record_fields<champsim::codec_of<R>> record = {};
  feed::branch_class branch = {};
  rows::address target = {};
  rows::hex_bytes code = {};
  Disassembly disassembly = {};
};

// Returns the row of `i`, which is record number `index` of the trace. The row is valid as long as
// `i` is valid.
template <class Disassembly = rows::absent, champsim::trace_record R>
row<R, Disassembly> row_of(std::uint64_t index, const instruction_view<R, true>& i,
                           Disassembly disassembly = {}) {
  return {index, {&i.record()}, i.branch(), {i.target()}, {i.code()}, std::move(disassembly)};
}

}  // namespace tracecodec::tracepack
