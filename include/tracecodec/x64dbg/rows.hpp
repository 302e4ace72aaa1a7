// Instructions of x64dbg traces as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "../rows/columns.hpp"
#include "layout/word_names.hpp"
#include "reader/instruction.hpp"
#include "reader/word_fields.hpp"

namespace tracecodec::rows {
template <class Out> class json;  // rows/json.hpp
}

namespace tracecodec::x64dbg {

// Registers that a block stores, which are the registers that changed since the previous block. The
// previous block may belong to another thread. to_json() writes an object such as
// {"eax":"0x1","eip":"0x401000"}, with the names from word_fields().
template <target T> struct register_changes {
  const x64dbg::block<T>* block = nullptr;
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.object();
    register_state<T>::walk(*block, [&j, &fields = word_fields<T>()](std::size_t w, auto word) {
      for_each_field<T>(fields, w, word,
                        [&j](std::string_view name, std::uint64_t v) { j.key(name).hex(v); });
    });
    j.end_object();
  }
};

// Memory words that a block accesses. to_json() writes a list of objects such as
// {"address":"0x...","old":"0x...","new":"0x..."}. `new` is null if the instruction left the word
// unchanged.
template <target T> struct memory_changes {
  const x64dbg::block<T>* block = nullptr;
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.array();
    for (const memory_access& a : accesses(*block)) {
      j.object().key("address").hex(a.address).key("old").hex(a.old_value).key("new");
      if (a.new_value)
        j.hex(*a.new_value);
      else
        j.null();
      j.end_object();
    }
    j.end_array();
  }
};

// Row of an instruction with the data in its block. For rows that also contain effects, see
// effect_row (effect_rows.hpp). `Disassembly` is a string type, or rows::absent.
template <target T, class Disassembly = rows::absent> struct row {
  std::uint64_t index = 0;
  std::optional<std::uint32_t> thread = {};  // nullopt before the first thread id
  rows::address ip = {};
  rows::hex_bytes opcode = {};
  Disassembly disassembly = {};
  register_changes<T> registers = {};
  memory_changes<T> memory = {};
};

// Returns the row of `i`. The row is valid as long as `i` is valid.
template <target T, class Disassembly = rows::absent>
row<T, Disassembly> row_of(const instruction<T>& i, Disassembly disassembly = {}) {
  return {i.index,    i.thread,  {i.ip()}, {i.opcode()}, std::move(disassembly),
          {&i.block}, {&i.block}};
}

}  // namespace tracecodec::x64dbg
