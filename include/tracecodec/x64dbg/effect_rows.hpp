// Rows of x64dbg instructions and their effects. In addition to the columns of rows.hpp, the rows
// have columns for the branch, the flags and the changed registers. The feed's
// feed_options::effects must be set.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "feed/decoded_feed.hpp"
#include "feed/whole_registers.hpp"
#include "feed/word_use.hpp"
#include "layout/flags.hpp"
#include "rows.hpp"

namespace tracecodec::x64dbg {

// Memory words that an instruction accesses. to_json() writes a list of objects such as
// {"address":"0x...","size":4,"kind":"write","old":"0x...","new":"0x..."}.
// `size` is the number of bytes of the word that belong to an operand. `kind` is read, write or
// read_write. `size` and `kind` are null if unknown. `new` is null if the instruction left the word
// unchanged.
template <target T> struct memory_effects {
  const instruction_view<T>* of = nullptr;
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.array();
    for (const memory_access& a : of->recorded_accesses()) {
      const word_use use = use_of<T>(*of, a);
      j.object().key("address").hex(a.address).key("size");
      if (use.size != 0)
        j.number(use.size);
      else
        j.null();
      j.key("kind");
      if (use.read || use.write)
        j.plain(!use.write ? "read" : use.read ? "read_write" : "write");
      else
        j.null();
      j.key("old").hex(a.old_value).key("new");
      if (a.new_value)
        j.hex(*a.new_value);
      else
        j.null();
      j.end_object();
    }
    j.end_array();
  }
};

// Flags that are set before and after an instruction. to_json() writes an object such as
// {"old":["PF","ZF"],"new":["CF"]}. A list is null if the flags are unknown.
template <target T> struct flag_effects {
  const register_file<T>* before = nullptr;
  const register_file<T>* after = nullptr;
  template <class Out> void to_json(rows::json<Out>& j) const {
    const auto add = [&j](std::string_view key, const register_file<T>* file) {
      j.key(key);
      if (file == nullptr) {
        j.null();
        return;
      }
      j.array();
      for_each_flag((*file)[register_state<T>::cip_word + 1],
                    [&j](std::string_view name) { j.plain(name); });
      j.end_array();
    };
    j.object();
    add("old", before);
    add("new", after);
    j.end_object();
  }
};

// Formatter for register values of any size. Values of up to 8 bytes are written without leading
// zeros ("0x1f"), and longer values with all digits. The returned text is valid until the next
// call.
template <target T> class register_text {
 public:
  std::string_view operator()(const register_file<T>& file, const register_name& r) {
    char* p = chars_.data();
    *p++ = '0';
    *p++ = 'x';
    bool all = r.size > 8;
    for (std::size_t i = r.size; i-- != 0;) {
      const unsigned byte = byte_in<T>(file, r, i);
      for (const unsigned digit : {byte >> 4U, byte & 15U}) {
        all = all || digit != 0;
        if (all) *p++ = "0123456789abcdef"[digit];
      }
    }
    if (!all) *p++ = '0';
    return {chars_.data(), static_cast<std::size_t>(p - chars_.data())};
  }

 private:
  std::array<char, 2 + 2 * 32> chars_{};
};

// Registers that an instruction changes (see for_each_changed_register), except the instruction
// pointer. to_json() writes an object such as {"rsp":{"old":"0x14f4a8","new":"0x14f4a0"}}. `before`
// and `after` must not be nullptr when to_json() is called.
template <target T> struct register_effects {
  const register_file<T>* before = nullptr;
  const register_file<T>* after = nullptr;
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.object();
    for_each_changed_register<T>(*before, *after, [&](const register_name& r) {
      j.key(r.name.view()).object();
      if (r.size <= 8) {
        j.key("old").hex(value_in<T>(*before, r)).key("new").hex(value_in<T>(*after, r));
      } else {
        register_text<T> text;
        j.key("old").plain(text(*before, r));
        j.key("new").plain(text(*after, r));
      }
      j.end_object();
    });
    j.end_object();
  }
};

// Row of an instruction and its effects. `Disassembly` is a string type, or rows::absent.
template <target T, class Disassembly = rows::absent> struct effect_row {
  std::uint64_t index = 0;
  std::optional<std::uint32_t> thread = {};  // nullopt before the first thread id
  rows::address ip = {};
  rows::hex_bytes opcode = {};
  Disassembly disassembly = {};
  register_changes<T> registers = {};
  memory_effects<T> memory = {};
  feed::branch_class branch = {};
  std::optional<bool> taken = {};  // nullopt if the instruction is not a branch
  rows::address target = {};       // 0 if the branch is not taken or the target is unknown
  flag_effects<T> flags = {};
  // Changed registers, or nullopt if the registers before or after the instruction are unknown.
  std::optional<register_effects<T>> changes = {};
  std::uint64_t offset = 0;  // byte offset of the instruction's block
};

// Calls use(effect_row) with the row of `i`. The row is valid only until use() returns.
template <target T, class Disassembly, class Use>
TRACECODEC_INLINE void with_effect_row(const instruction_view<T>& i, Disassembly disassembly,
                                       Use&& use) {
  const block<T> b = i.block();
  const auto* const before = i.registers();
  const auto* const after = i.registers_after();
  const bool known = before != nullptr && after != nullptr;
  use(effect_row<T, Disassembly>{
      i.index(),
      i.thread(),
      {i.ip()},
      {i.code()},
      std::move(disassembly),
      {&b},
      {&i},
      i.branch(),
      i.is_branch() ? std::optional(i.taken()) : std::nullopt,
      {i.target()},
      {before, after},
      known ? std::optional(register_effects<T>{before, after}) : std::nullopt,
      i.offset()});
}

}  // namespace tracecodec::x64dbg
