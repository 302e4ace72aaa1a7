// ChampSim records as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>

#include "../rows/columns.hpp"
#include "feed.hpp"

namespace tracecodec::champsim {

// Row of a record: the names and stored values of the record's fields, including unused slots (0),
// then the branch class and the target that result from them. The target is 0 if there is none.
template <trace_record R> struct row {
  std::uint64_t index = 0;  // number of the record in the trace
  rows::record_fields<codec_of<R>> record = {};
  feed::branch_class branch = {};
  rows::address target = {};
};

// Returns the row of `i`, which is record number `index` of the trace. The row is valid as long as
// `i` is valid.
template <trace_record R, branch_rules Rules>
constexpr row<R> row_of(std::uint64_t index, const instruction_view<R, Rules>& i) noexcept {
  return {index, {&i.record()}, i.branch(), {i.target()}};
}

}  // namespace tracecodec::champsim
