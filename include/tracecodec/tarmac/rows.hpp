// Lines of Tarmac text as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "../rows/columns.hpp"
#include "reader.hpp"

namespace tracecodec::tarmac {

// Row of a line, or of a part of a line whose bytes are adjacent and known.
struct row {
  std::uint64_t index = 0;  // number of the instruction in the trace
  rows::address ip = {};
  std::uint32_t processor = 0;
  std::uint64_t time = 0;
  std::string_view unit = {};
  line_kind line = {};
  // Disassembly, name of the register, or text of the event.
  std::string_view text = {};
  std::optional<bool> executed = {};
  std::optional<std::string_view> branch = {};
  std::optional<rows::hex_bytes> code = {};
  std::optional<rows::address> address = {};  // of memory
  std::optional<std::uint16_t> offset = {};   // of the part of a register
  std::optional<std::uint32_t> size = {};     // of memory
  rows::hex_number value = {};                // null if it is unknown
};
// Calls f(row) for each line of instruction number `index`. A row is valid during the call.
template <class F> void for_each_row(std::uint64_t index, const instruction& i, F f) {
  for (const line& l : i.lines()) {
    row r{index, {i.ip}, l.source, l.time, units[l.unit], l.kind, i.text(l.text)};
    if (l.kind == line_kind::instruction) {
      r.executed = l.executed;
      r.branch = feed::name(i.branch);
      r.code = rows::hex_bytes{i.bytes(l)};
    } else if (l.kind == line_kind::reg) {
      r.offset = l.offset;
    } else if (l.kind != line_kind::event) {
      r.address = rows::address{l.address};
      r.size = l.bytes.size;
    }
    if (l.kind != line_kind::instruction) r.value.bytes = i.bytes(l);
    f(r);
  }
}

}  // namespace tracecodec::tarmac
