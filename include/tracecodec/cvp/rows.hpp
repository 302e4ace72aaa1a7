// CVP-1 and CBP2025 instructions as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>
#include <span>

#include "../rows/columns.hpp"
#include "operands.hpp"

namespace tracecodec::cvp {

// Row of a record: the names and stored values of its fields, then the branch class that follows
// from them.
template <dialect D> struct row {
  std::uint64_t index = 0;  // number of the record in the trace
  rows::record_fields<codec<D>, &instruction<D>::inputs, &instruction<D>::outputs> record = {};
  std::span<const std::uint8_t> inputs = {}, outputs = {};  // numbers, not bytes
  feed::branch_class branch = {};
};
// Returns the row of `i`, which is record number `index`. The row is valid as long as `i` is valid.
template <dialect D> row<D> row_of(std::uint64_t index, const instruction<D>& i) noexcept {
  const auto numbers = [](const registers<D>& all) {
    return std::span(reinterpret_cast<const std::uint8_t*>(all.bytes().data()), all.size());
  };
  return {index, {&i}, numbers(i.inputs), numbers(i.outputs), class_of(i)};
}

}  // namespace tracecodec::cvp
