// Layout of the execution table (UMTracer specification, 6): exec.vtable, exec.offsets and
// exec.prev_next.column.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "../../wire/layout/laid_out_as.hpp"
#include "../../wire/rules/chosen.hpp"
#include "common.hpp"

namespace tracecodec::umtracer {

// Header of exec.vtable. exec.offsets stores the offsets of the records.
struct exec_header {
  std::uint32_t version;  // 0 or 1; selects the meaning of flags 0x10 to 0x80
  std::int64_t record_count;
  friend constexpr bool operator==(const exec_header&, const exec_header&) = default;
};
using exec_header_codec =
    wire::record<wire::fields<wire::field<&exec_header::version>, wire::padding<4>,
                              wire::field<&exec_header::record_count>>>;
static_assert(wire::is_laid_out_as<exec_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     version
4       4     (padding)
8       8     record_count
)">);

// Type of an execution record. The specification does not define 7 or numbers above 11.
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

// Returns the name of type `t`, such as "thread begin", or an empty string if the specification
// does not define the type.
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

// Values of exec_record::flags, which may be combined. exec_header::version selects the meaning of
// flags 0x10 to 0x80.
namespace exec_flags {
inline constexpr std::uint8_t code64 = 0x01;  // the code is in a 64-bit code segment
// The thread was not instrumented just before this record, so values in the thread's earlier
// records may be outdated.
inline constexpr std::uint8_t instrumentation_off = 0x02;
inline constexpr std::uint8_t not_executed = 0x04;  // the instruction's condition was false
// First iteration of an instruction with a rep prefix.
inline constexpr std::uint8_t first_repetition = 0x08;
inline constexpr std::uint8_t unreliable_inputs = 0x10;   // version 0: outputs are unreliable, too
inline constexpr std::uint8_t unreliable_outputs = 0x20;  // same meaning in both versions
// Two flags have no name here:
// - 0x40: outputs were not read back (version 0), or the instruction raised an exception
//   (version 1)
// - 0x80: the tracer had an error (version 0), or the process was aborted near this record
//   (version 1)
inline constexpr std::uint8_t unreliable = 0xF0;  // mask of 0x10 to 0x80: values may be wrong
}  // namespace exec_flags

// execRec: the head of a record, without its data.
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

// execRec: the head of a record, and the fields that the record's type selects.
struct execution {
  exec_record head{};
  std::int64_t instruction_id{};  // row of the instruction table
  wire::array_view<wire::u8> values;
  std::uint32_t exit_code{};
  std::int64_t syscall_id{};           // -1 for an exit without an entry
  wire::array_view<wire::u8> context;  // rmContext, and the bytes that its pointers refer to
  wire::array_view<wire::u8> data;     // contents of a record whose type is undefined
  [[nodiscard]] constexpr exec_type type() const noexcept { return head.type; }
};
using execution_codec = wire::record<wire::fields<
    wire::field<&execution::head>,
    wire::choice<
        &execution::type,
        wire::on<exec_type::instruction, wire::field<&execution::instruction_id>,
                 wire::rest<&execution::values>>,
        wire::on<exec_type::thread_begin, wire::rest<&execution::context>>,
        wire::on_range<exec_type::thread_end, exec_type::application_end,
                       wire::field<&execution::exit_code>, wire::skip_rest>,
        wire::on_range<exec_type::syscall_entry, exec_type::syscall_exit,
                       wire::field<&execution::syscall_id>, wire::rest<&execution::context>>,
        wire::on<exec_type::skipped_syscall_exit, wire::field<&execution::syscall_id>,
                 wire::skip_rest>,
        wire::on_range<exec_type::apc, exec_type::unknown_context_change,
                       wire::rest<&execution::context>>,
        wire::otherwise<wire::rest<&execution::data>>>>>;
static_assert(wire::is_laid_out_as<execution_codec, R"(
Offset  Size                   Field
------  ---------------------  --------------
0       4                      head.thread_id
4       1                      head.type
5       1                      head.flags
6       0 or 8                 instruction_id  instruction
14      0 or 1 x what is left  values
6       0 or 1 x what is left  context         thread begin
6       0 or 4                 exit_code       thread end, application end
10      0 or what is left      (padding)
6       0 or 8                 syscall_id      system call entry, system call exit
14      0 or 1 x what is left  context
6       0 or 8                 syscall_id      skipped system call exit
14      0 or what is left      (padding)
6       0 or 1 x what is left  context         8 to 11
6       0 or 1 x what is left  data            7, and what is above 11
)">);
// Layout of records with a type that has the member `M`:
// - execution_with: the layout
// - front_with: offset of the variable-length part of the record
// - fixed_after_head: number of bytes between the head and the variable-length part. The bytes
//   belong to `M`, or to the member before `M`.
template <auto M> using execution_with = wire::chosen_with<execution_codec, M>;
template <auto M> inline constexpr std::size_t front_with = execution_with<M>::front_size;
template <auto M> inline constexpr std::size_t fixed_after_head =
    front_with<M> - execution_with<M>::template word_of<&execution::head>::size;
// Stores member `M`, which follows the head, at `to`. Returns the address of the next byte.
template <auto M> std::byte* store_after_head(wire::member_t<M> v, std::byte* to) noexcept {
  execution_with<M>::template word_of<M>::store(v, to);
  return to + fixed_after_head<M>;
}

// Tag for file pointers in a context, which are relative to the first byte of the rmContext.
struct register_context;

// rmContext without its memory references. The data to which the pointers refer follows the memory
// references, in any order.
struct context_record {
  std::uint32_t memory_count;
  // Offset of the registers. The context map determines their size.
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
8       8     registers
)">);

// contextMem: memory reference in a context. The references begin at byte 16 of the rmContext.
struct context_memory {
  std::uint64_t address;
  std::int64_t size;
  wire::file_pointer<void, register_context, std::int64_t> data;  // relative to the rmContext
  friend constexpr bool operator==(const context_memory&, const context_memory&) = default;
};
using context_memory_codec = wire::record<context_memory>;
static_assert(wire::is_laid_out_as<context_memory_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     address
8       8     size
16      8     data
)">);

// Row of exec.prev_next.column: ids of the previous and next records of the thread, or -1 if there
// is no such record.
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
