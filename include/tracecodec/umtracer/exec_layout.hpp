// The execution table (6): exec.vtable, exec.offsets, exec.prev_next.column.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "layout.hpp"

namespace tracecodec::umtracer {

// exec.vtable begins so; the records lie where exec.offsets says.
struct exec_header {
  std::uint32_t version;
  std::int64_t record_count;
  friend constexpr bool operator==(const exec_header&, const exec_header&) = default;
};
using exec_header_codec =
    wire::record<wire::fields<wire::field<&exec_header::version>, wire::padding<4>,
                              wire::field<&exec_header::record_count>>>;
static_assert(wire::is_laid_out_as<exec_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     version        0 or 1: what the flags from 0x10 mean
4       4     (padding)
8       8     record_count
)">);

// What an execution record is of. 7 and what is above 11 has no meaning yet.
enum class exec_type : std::uint8_t {
  instruction = 0,
  thread_begin = 1,
  thread_end = 2,
  application_end = 3,
  syscall_entry = 4,
  syscall_exit = 5,
  skipped_syscall_exit = 6,
  apc = 8,
  exception = 9,
  callback = 10,
  unknown_context_change = 11
};

// "instruction", "thread begin" ...; empty for a type without meaning.
constexpr std::string_view name(exec_type t) noexcept {
  constexpr std::array<std::string_view, 12> names{"instruction",
                                                   "thread begin",
                                                   "thread end",
                                                   "application end",
                                                   "system call entry",
                                                   "system call exit",
                                                   "skipped system call exit",
                                                   "",
                                                   "asynchronous procedure call",
                                                   "exception",
                                                   "callback",
                                                   "unknown context change"};
  const auto n = static_cast<std::size_t>(t);
  return n < names.size() ? names[n] : std::string_view();
}

// exec_record::flags, a combination of them. What the last four mean is by exec_header::version.
namespace exec_flags {
inline constexpr std::uint8_t code64 = 0x01;               // in a 64-bit code segment
inline constexpr std::uint8_t instrumentation_off = 0x02;  // no values from records before hold
inline constexpr std::uint8_t not_executed = 0x04;         // its condition was false
inline constexpr std::uint8_t first_repetition = 0x08;     // of an instruction with a rep prefix
inline constexpr std::uint8_t unreliable_inputs = 0x10;    // version 0: and outputs
inline constexpr std::uint8_t unreliable_outputs = 0x20;   // in both versions
// 0x40: version 0: outputs were not read back; version 1: the instruction caused an exception.
// 0x80: version 0: an error of the tracer; version 1: the process was aborted about here.
inline constexpr std::uint8_t unreliable = 0xF0;  // any of 0x10 to 0x80: values may be garbage
}  // namespace exec_flags

// execRec without its data.
struct exec_record {
  std::uint32_t thread_id;
  exec_type type;
  std::uint8_t flags;
  friend constexpr bool operator==(const exec_record&, const exec_record&) = default;
};
using exec_record_codec = wire::record<exec_record>;
static_assert(wire::is_laid_out_as<exec_record_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     thread_id
4       1     type
5       1     flags
)">);

// What follows the head, by the type: of an instruction, before the values of its operands;
struct exec_instruction {
  std::int64_t instruction_id;
  friend constexpr bool operator==(const exec_instruction&, const exec_instruction&) = default;
};
using exec_instruction_codec = wire::record<exec_instruction>;
static_assert(wire::is_laid_out_as<exec_instruction_codec, R"(
Offset  Size  Field
------  ----  ----------------------
6       8     instruction_id   the row of the instruction table
)",
                                   exec_record_codec::size>);
// of the end of a thread or the application;
struct exec_end {
  std::uint32_t exit_code;
  friend constexpr bool operator==(const exec_end&, const exec_end&) = default;
};
using exec_end_codec = wire::record<exec_end>;
static_assert(wire::is_laid_out_as<exec_end_codec, R"(
Offset  Size  Field
------  ----  ----------------------
6       4     exit_code
)",
                                   exec_record_codec::size>);
// of a system call, before its context, which skipped exits do not have.
struct exec_syscall {
  std::int64_t syscall_id;
  friend constexpr bool operator==(const exec_syscall&, const exec_syscall&) = default;
};
using exec_syscall_codec = wire::record<exec_syscall>;
static_assert(wire::is_laid_out_as<exec_syscall_codec, R"(
Offset  Size  Field
------  ----  ----------------------
6       8     syscall_id   -1: an exit without an entry
)",
                                   exec_record_codec::size>);

// What pointers of a context are relative to: the first byte of its rmContext.
struct register_context;

// rmContext without its memory references. What the pointers of both lead to lies anywhere behind,
// in any order.
struct context_record {
  std::uint32_t memory_count;
  wire::file_pointer<void, register_context, std::int64_t> registers;
  friend constexpr bool operator==(const context_record&, const context_record&) = default;
};
using context_record_codec =
    wire::record<wire::fields<wire::field<&context_record::memory_count>, wire::padding<4>,
                              wire::field<&context_record::registers>>>;
static_assert(wire::is_laid_out_as<context_record_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     memory_count
4       4     (padding)
8       8     registers      as many bytes as the context map says
)">);

// contextMem, from byte 16 of the rmContext on.
struct context_memory {
  std::uint64_t address;
  std::int64_t size;
  wire::file_pointer<void, register_context, std::int64_t> data;
  friend constexpr bool operator==(const context_memory&, const context_memory&) = default;
};
using context_memory_codec = wire::record<context_memory>;
static_assert(wire::is_laid_out_as<context_memory_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     address
8       8     size
16      8     data       relative to the rmContext
)">);

// A row of exec.prev_next.column: the records before and behind in the thread; -1: none.
struct neighbours {
  std::int64_t previous;
  std::int64_t next;
  friend constexpr bool operator==(const neighbours&, const neighbours&) = default;
};
using neighbours_codec = wire::record<neighbours>;
static_assert(wire::is_laid_out_as<neighbours_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     previous
8       8     next
)">);

}  // namespace tracecodec::umtracer
