// ChampSim records as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>

#include "../rows/columns.hpp"
#include "feed.hpp"

namespace tracecodec::champsim {

// The record's fields by name and as they are, unused slots (0) included; then the class and the
// target (0 if there is none) that are derived.
template <trace_record R> struct row {
  std::uint64_t index = 0;  // of the record in the trace
  rows::record_fields<codec_of<R>> record = {};
  feed::branch_class branch = {};
  rows::address target = {};
};

// Record `index`; valid as long as `i`.
template <trace_record R, branch_rules Rules>
constexpr row<R> row_of(std::uint64_t index, const instruction_view<R, Rules>& i) noexcept {
  return {index, {&i.record()}, i.branch(), {i.target()}};
}

}  // namespace tracecodec::champsim
