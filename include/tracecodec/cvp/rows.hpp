// CVP-1 and CBP2025 instructions as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>

#include "../rows/columns.hpp"
#include "operands.hpp"

namespace tracecodec::cvp {

// Row of a record: the names and stored values of its fields, then the branch class that follows
// from them.
template <dialect D> struct row {
  std::uint64_t index = 0;  // number of the record in the trace
  rows::record_fields<codec<D>> record = {};
  feed::branch_class branch = {};
};
template <dialect D> constexpr row<D> row_of(std::uint64_t index, const instruction<D>& i) noexcept {
  return {index, {&i}, class_of(i)};
}

}  // namespace tracecodec::cvp
