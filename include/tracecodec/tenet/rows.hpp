// Instructions of Tenet's traces as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>

#include "../feed/recorded_rows.hpp"
#include "../rows/columns.hpp"
#include "reader.hpp"

namespace tracecodec::tenet {

struct row {
  std::uint64_t index = 0;  // number of the instruction in the trace
  rows::address ip = {};
  feed::branch_class branch = {};
  rows::address target = {};
  // Registers before the instruction, only in the first row of an output.
  feed::recorded_registers<instruction> registers = {};
  feed::recorded_changes<instruction> changes = {};
  feed::recorded_memory<instruction> memory = {};
};
// Returns the row of `i`, which is valid as long as `i` is valid.
inline row row_of(std::uint64_t index, const instruction& i, bool first) noexcept {
  return {index, {i.ip}, i.branch, {i.target}, {first ? &i : nullptr}, {&i}, {&i}};
}

}  // namespace tracecodec::tenet
