// Instruction of any format as a row of text (rows/), for formats without their own rows.
#pragma once
#include <cstdint>
#include <span>

#include "../feed/column.hpp"
#include "../feed/column_row.hpp"
#include "../feed/instruction.hpp"
#include "../rows/columns.hpp"

namespace tracecodec::trace {

// List of addresses, each written as "0x...".
struct address_list {
  feed::nonzero_range<std::uint64_t> all = feed::nonzero_range<std::uint64_t>({});
  template <class Json> void to_json(Json& to) const {
    to.array();
    for (const std::uint64_t a : all) to.hex(a);
    to.end_array();
  }
};

struct instruction_row {
  std::uint64_t index = 0;  // index of the instruction in the trace
  rows::address ip = {};
  feed::branch_class branch = {};
  bool taken = false;
  rows::address target = {};  // 0 if there is no target
  std::uint32_t thread = 0;   // 0 for formats without threads
  std::span<const std::uint8_t> destination_registers = {}, source_registers = {};
  address_list destination_memory = {}, source_memory = {};
};

// Columns that a row needs. All formats have these columns.
inline constexpr feed::column_set instruction_row_columns =
    feed::branch_columns | feed::operand_columns |
    feed::column_set{feed::column::ip, feed::column::thread};

// Returns the row of instruction `i`, whose index in the trace is `index`. The row is valid as long
// as `i` is valid.
inline instruction_row row_of(std::uint64_t index, const feed::column_row& i) {
  return {index,
          {i.ip()},
          i.branch(),
          i.taken(),
          {i.target()},
          i.asid(),
          i.destination_registers(),
          i.source_registers(),
          {i.destination_memory()},
          {i.source_memory()}};
}

}  // namespace tracecodec::trace
