// What a .ksy file says of a format beside its records: how a file is made of them.
#pragma once
#include <tracecodec/emit/kaitai.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace view {

// Entries of `seq:`, empty if a trace is no one file, and of `types:`.
struct kaitai_file {
  std::string seq = {}, types = {};
};

inline constexpr std::array<tracecodec::emit::kaitai_row, 1> x64dbg_prefix_in_kaitai{
    {{"magic", "        contents: TRAC\n"}}};
// What the description of x64dbg's blocks leaves to code: which type is which, and that a new value
// follows of each access whose bit 0 is clear.
inline constexpr std::array<tracecodec::emit::kaitai_row, 2> x64dbg_block_in_kaitai{
    {{"type", "        type: u1\n        valid: 0\n"},
     {"new_values",
      "        type: changed_word(_index)\n        repeat: expr\n        repeat-expr: "
      "accesses\n"}}};
inline constexpr std::array<tracecodec::emit::kaitai_row, 1> x64dbg_user_block_in_kaitai{
    {{"type", "        type: u1\n        valid:\n          min: 128\n"}}};

inline kaitai_file x64dbg_in_kaitai(bool narrow) {
  return {R"(  - id: prefix
    type: prefix
  - id: json
    size: prefix.length
  - id: blocks
    type: any_block
    repeat: eos
)",
          R"(  # By its first byte, which both kinds begin with
  any_block:
    seq:
      - id: body
        type:
          switch-on: next
          cases:
            0: block
            _: user_block
    instances:
      next:
        pos: _io.pos
        type: u1
  # What an access made of the memory, if it changed it
  changed_word:
    params:
      - id: index
        type: s4
    seq:
      - id: value
        type: )" +
              std::string(narrow ? "u4le" : "u8le") +
              R"(
        if: (_parent.access_flags[index] & 1) == 0
)"};
}

// A table of rows that are `row_size` apart, behind a header.
inline std::string umtracer_table_in_kaitai(std::string_view file, std::string_view row,
                                            bool extra) {
  std::string s = "  " + std::string(file) + ":\n    seq:\n      - id: header\n" +
                  "        type: table_header\n";
  if (extra) s += "      - id: extra\n        type: extra_header\n";
  return s + "    instances:\n      rows:\n        pos: header.table\n" +
         "        size: header.row_size\n        type: " + std::string(row) +
         "\n        repeat: expr\n        repeat-expr: header.row_count\n";
}

inline kaitai_file umtracer_in_kaitai() {
  return {{},
          R"(  # A trace is a folder. Of its files each is one of these types: of exec.vtable and
  # syscall.vtable the header alone, as exec.offsets and syscall.offsets say where records lie. For one
  # file, have its type as the only field of `seq:`.
  exec_vtable:
    seq:
      - id: header
        type: exec_header
      - id: records
        size-eos: true
  exec_offsets:
    seq:
      - id: offsets
        type: s8le
        repeat: eos
  exec_prev_next_column:
    seq:
      - id: rows
        type: neighbours
        repeat: eos
  syscall_vtable:
    seq:
      - id: header
        type: syscall_header
      - id: records
        size-eos: true
  syscall_offsets:
    seq:
      - id: rows
        type: syscall_place
        repeat: eos
  context_map_itable:
    seq:
      - id: header
        type: context_header
      - id: common_names
        type: u2le
        repeat: expr
        repeat-expr: 512
      - id: names
        size: 16
        repeat: expr
        repeat-expr: 512
      - id: map32
        type: register_info
        repeat: expr
        repeat-expr: 512
      - id: map64
        type: register_info
        repeat: expr
        repeat-expr: 512
  # moduleRec, of whatever version
  module_row:
    seq:
      - id: record
        type: module_record
      - id: version
        type: module_version
        if: not _io.eof
)" + umtracer_table_in_kaitai("ins_itable", "instruction_record", true) +
              umtracer_table_in_kaitai("module_itable", "module_row", true) +
              umtracer_table_in_kaitai("thread_itable", "thread_record", false) +
              umtracer_table_in_kaitai("address_space_itable", "address_range", false)};
}

}  // namespace view
