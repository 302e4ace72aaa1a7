// The rules a sound UMTracer trace keeps, and what a check counts.
#pragma once
#include <array>
#include <cstdint>
#include <functional>

#include "../../io/findings.hpp"

namespace tracecodec::umtracer {

// What check() looks for; check_rules has them in this order.
enum class rule : std::uint8_t {
  damaged,
  missing_file,
  missing_xml,
  table,
  version,
  row_count,
  extra_area,
  trailing_bytes,
  register_place,
  register_name,
  self_id,
  code_size,
  module_id,
  decoded,
  text,
  operand_count,
  slot_count,
  slot_groups,
  slot_place,
  slot_index,
  operand_place,
  enum_value,
  module_span,
  module_time,
  module_overlap,
  module_name,
  range_bounds,
  range_order,
  syscall_record,
  syscall_begin,
  syscall_end,
  record_offset,
  record_short,
  opaque_record,
  unreliable,
  instruction_id,
  values_size,
  code_mode,
  context,
  syscall_id,
  application_end,
  thread_id,
  duplicate_thread,
  neighbour,
  neighbour_order,
  thread_begin,
  after_thread_end,
  thread_span,
  thread_records,
  last_record,
  no_thread_begin,
  no_thread_end,
  xml,
  xml_part,
  xml_value,
  xml_bitness,
  xml_program
};
// Of each rule: its name, how severe it is to break it, and what breaks it; by
// static_cast<std::size_t>(rule).
inline constexpr std::array<check_rule, 57> check_rules{{
    {"damaged", severity::error, "no trace, or one that cannot be read"},
    {"missing-file", severity::error, "one of the trace's files is missing"},
    {"missing-xml", severity::warning, "trace.xml is missing: nothing tells the version of XED"},
    {"table", severity::error, "a table whose header contradicts its file"},
    {"version", severity::warning, "a version that is not known"},
    {"row-count", severity::error, "a header counts other rows than its file, or another, has"},
    {"extra-area", severity::error, "the extra area of a table lies outside its file"},
    {"trailing-bytes", severity::warning, "a file goes on behind what its header counts"},
    {"register-place", severity::error, "a register lies outside the context"},
    {"register-name", severity::error,
     "a register's name does not end, or its common or largest register has no number"},
    {"self-id", severity::error, "an instruction's id is not that of its row"},
    {"code-size", severity::error, "an instruction of no bytes, or of more than 15"},
    {"module-id", severity::error, "an instruction of a module that the trace does not have"},
    {"decoded", severity::error, "a decoded instruction lies outside the extra area"},
    {"text", severity::error, "a text lies outside its area, or does not end with 0"},
    {"operand-count", severity::error, "more than four explicit operands"},
    {"slot-count", severity::error, "more than 253 slots"},
    {"slot-groups", severity::error, "the groups of slots are not one behind the other"},
    {"slot-place", severity::error, "a slot lies outside the operand values"},
    {"slot-index", severity::error, "a slot that is not in the list"},
    {"operand-place", severity::error, "an explicit operand lies outside its slot"},
    {"enum-value", severity::warning, "a value that the specification does not have"},
    {"module-span", severity::error, "a module ends before it begins"},
    {"module-time", severity::error, "a module comes or goes outside the records of the trace"},
    {"module-overlap", severity::warning, "two modules have the same address at the same time"},
    {"module-name", severity::error, "a module's name lies outside the file, or does not end"},
    {"range-bounds", severity::error, "an address range that is not of whole pages"},
    {"range-order", severity::error, "address ranges that overlap, or are not sorted"},
    {"syscall-record", severity::error, "a system call lies outside its file or record"},
    {"syscall-begin", severity::error, "a system call does not begin at an entry that names it"},
    {"syscall-end", severity::error, "a system call does not end at an exit that names it"},
    {"record-offset", severity::error, "an offset that does not increase, or leaves exec.vtable"},
    {"record-short", severity::error, "a record is shorter than the fields of its type"},
    {"opaque-record", severity::note, "a record of a type that the specification does not have"},
    {"unreliable", severity::note, "a record whose flags say that its values may be garbage"},
    {"instruction-id", severity::error, "a record of an instruction that the trace does not have"},
    {"values-size", severity::error, "a record has less operand values than its instruction"},
    {"code-mode", severity::warning,
     "the flag of 64-bit code is another in a record than in its instruction"},
    {"context", severity::error, "a context's pointers lead outside its record"},
    {"syscall-id", severity::error, "a record of a system call that the trace does not have"},
    {"application-end", severity::error, "the end of the application is not the last record"},
    {"thread-id", severity::error, "a record of a thread that the trace does not have"},
    {"duplicate-thread", severity::error, "two threads have the same id"},
    {"neighbour", severity::error, "previous and next do not link the records of a thread"},
    {"neighbour-order", severity::warning,
     "previous is not the last record of the thread before it"},
    {"thread-begin", severity::error, "thread begin is not the first record of its thread"},
    {"after-thread-end", severity::error, "a thread has records behind its end"},
    {"thread-span", severity::error, "a thread's first or last record is another"},
    {"thread-records", severity::error, "a thread has another number of records"},
    {"last-record", severity::warning, "a thread that has ended has no last record"},
    {"no-thread-begin", severity::warning, "a thread's first record is no thread begin"},
    {"no-thread-end", severity::note,
     "a thread has a last record that is neither its end nor the application's"},
    {"xml", severity::error, "trace.xml cannot be read"},
    {"xml-part", severity::note, "trace.xml does not tell the version of XED"},
    {"xml-value", severity::warning, "a value of trace.xml that the specification does not have"},
    {"xml-bitness", severity::warning,
     "no instruction is of as many bits as trace.xml says of the program"},
    {"xml-program", severity::note, "no module is the program of trace.xml's command line"},
}};

// What is called with each thing that is found.
using on_finding = std::function<void(const diagnostic&)>;

// How often each rule was broken, and how many rows each table of the trace has; 0 for one that
// cannot be read.
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0, instructions = 0, modules = 0, threads = 0, ranges = 0, syscalls = 0;
};

}  // namespace tracecodec::umtracer
