// Sections of a .ksy file that describe a UMTracer trace, except for its records.
#pragma once
#include <string>
#include <string_view>

#include "../kaitai_file.hpp"

namespace view {

// Returns the .ksy type of a table. The table consists of a header and of rows that are
// header.row_size bytes apart.
inline std::string umtracer_table_in_kaitai(std::string_view file, std::string_view row,
                                            bool extra) {
  std::string s = "  " + std::string(file) + ":\n    seq:\n      - id: header\n" +
                  "        type: table_header\n";
  if (extra) s += "      - id: extra\n        type: extra_header\n";
  return s + "    instances:\n      rows:\n        pos: header.table\n" +
         "        size: header.row_size\n        type: " + std::string(row) +
         "\n        repeat: expr\n        repeat-expr: header.row_count\n";
}

inline kaitai_file umtracer_in_kaitai(bool /*narrow*/) {
  return {
      {},
      R"(  # A trace is a folder, and each of its files has one of these types. Those of exec.vtable and
  # syscall.vtable describe only the header: exec.offsets and syscall.offsets store the offsets of the
  # records. To parse one file, make its type the only field of `seq:`.
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
