// Records of STF traces as rows of text (rows/): JSON lines and CSV. Each record is a row, so that
// events and page-table walks are rows of their own.
#pragma once
#include <cstdint>

#include "../rows/columns.hpp"
#include "operands.hpp"

namespace tracecodec::stf {

// Row of a record: the number and address of the instruction to which it belongs, and the names and
// stored values of its fields. `branch` is empty unless the record is an opcode.
struct row {
  std::uint64_t index = 0;
  rows::address ip = {};
  rows::record_fields<record_codec> record = {};
  std::string_view branch = {};
};
// Calls f(row) for each record of instruction number `index`. A row is valid during the call.
template <class F> void for_each_row(std::uint64_t index, const instruction& i, F f) {
  for (const record& r : i.records)
    f(row{index, {i.pc}, {&r}, r.ends_instruction() ? feed::name(class_of(i)) : ""});
}

}  // namespace tracecodec::stf
