// Records of drmemtrace traces: the final offline traces of DynamoRIO (drmemtrace/trace_entry.h).
// All numbers are little-endian, and records are packed.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../feed/instruction.hpp"
#include "../io/text/nth_word.hpp"
#include "../wire/layout/laid_out_as.hpp"
#include "../wire/meaning.hpp"
#include "../wire/record.hpp"

namespace tracecodec::drmemtrace {

using wire::target;

enum class record_type : std::uint16_t {
  read = 0,
  write = 1,
  instr = 10,  // prefetches are 2 to 9, 27 and 32 to 46
  instr_direct_jump = 11,
  instr_indirect_jump = 12,
  instr_conditional_jump = 13,  // up to version 4: taken or not
  instr_direct_call = 14,
  instr_indirect_call = 15,
  instr_return = 16,
  instr_bundle = 17,  // `size` further instructions, whose lengths are the bytes of the value
  instr_flush = 18,
  data_flush = 20,
  thread = 22,
  thread_exit = 23,
  pid = 24,
  header = 25,
  footer = 26,
  marker = 28,
  instr_no_fetch = 29,  // a further iteration of a rep string instruction
  instr_sysenter = 31,
  encoding = 47,
  instr_taken_jump = 48,
  instr_untaken_jump = 49,
  invalid = 50
};

// Kinds of markers, which the field `size` of a record of type `marker` contains.
enum class marker : std::uint16_t {
  kernel_event = 0,  // a signal; the value is the interrupted pc
  kernel_xfer = 1,   // a system call that changes the pc; the value is the pc after the call
  timestamp = 2,     // microseconds since 1601
  cpu_id = 3,
  func_id = 4,
  func_retaddr = 5,  // the markers 4 to 7 describe a call of a traced function
  func_retval = 7,
  filetype = 9,
  cache_line_size = 10,
  version = 12,
  rseq_abort = 13,
  window_id = 14,
  page_size = 18,
  chunk_instr_count = 20,
  chunk_footer = 21,
  record_ordinal = 22,
  filter_endpoint = 23,
  rseq_entry = 24,  // start of a restartable sequence; the value is the pc after its end
  syscall = 25,
  maybe_blocking_syscall = 26,
  syscall_trace_start = 27,
  syscall_trace_end = 28,
  branch_target = 29,
  core_wait = 32,
  core_idle = 33,
  context_switch_start = 34,
  context_switch_end = 35,
  uncompleted_instruction = 41,
  hardware_event = 43,  // an interrupt of the processor, and the return from it
  hardware_context_return = 44
};

// Return the names of record types and markers, in lower case, or an empty text for other numbers.
constexpr std::string_view name(record_type t) noexcept {
  return io::nth_word(
      "read write prefetch prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetch_read "
      "prefetch_write prefetch_instr instr instr_direct_jump instr_indirect_jump "
      "instr_conditional_jump instr_direct_call instr_indirect_call instr_return instr_bundle "
      "instr_flush instr_flush_end data_flush data_flush_end thread thread_exit pid header "
      "footer hardware_prefetch marker instr_no_fetch instr_maybe_fetch instr_sysenter "
      "prefetch_read_l1_nt prefetch_read_l2_nt prefetch_read_l3_nt prefetch_instr_l1 "
      "prefetch_instr_l1_nt prefetch_instr_l2 prefetch_instr_l2_nt prefetch_instr_l3 "
      "prefetch_instr_l3_nt prefetch_write_l1 prefetch_write_l1_nt prefetch_write_l2 "
      "prefetch_write_l2_nt prefetch_write_l3 prefetch_write_l3_nt encoding instr_taken_jump "
      "instr_untaken_jump invalid",
      static_cast<std::size_t>(t));
}
constexpr std::string_view name(marker m) noexcept {
  return io::nth_word(
      "kernel_event kernel_xfer timestamp cpu_id func_id func_retaddr func_arg func_retval "
      "split_value filetype cache_line_size instruction_count version rseq_abort window_id "
      "physical_address physical_address_not_available virtual_address page_size syscall_idx "
      "chunk_instr_count chunk_footer record_ordinal filter_endpoint rseq_entry syscall "
      "maybe_blocking_syscall syscall_trace_start syscall_trace_end branch_target "
      "syscall_failed direct_thread_switch core_wait core_idle context_switch_start "
      "context_switch_end vector_length syscall_unschedule syscall_schedule "
      "syscall_arg_timeout signal_number uncompleted_instruction midblock_end_pc "
      "hardware_event hardware_context_return kernel_event_raw skipped_memref",
      static_cast<std::size_t>(m));
}

// Bits of the value of marker `filetype`.
struct file_type {
  static constexpr std::uint64_t aarch64 = 0x8, arm32 = 0x10, x86_32 = 0x20, x86_64 = 0x40,
                                 filtered = 0x1, instruction_only = 0x4,
                                 instructions_filtered = 0x80, data_filtered = 0x100,
                                 encodings = 0x200, syscall_numbers = 0x400, core_sharded = 0x10000,
                                 regdeps = 0x20000;
};
inline constexpr std::uint64_t newest_version = 7;

template <target T> struct entry {
  record_type type;
  // Bytes that are read or written, length of an instruction, kind of a marker, number of bytes of an
  // encoding, or number of instructions of a bundle.
  std::uint16_t size;
  // Address, value of a marker, or bytes of an encoding, the first one in the lowest bits.
  wire::word_t<T> value;

  [[nodiscard]] constexpr bool is(record_type t) const noexcept { return type == t; }
  [[nodiscard]] constexpr bool is(marker m) const noexcept {
    return type == record_type::marker && size == static_cast<std::uint16_t>(m);
  }
};
// Record of traces of 64-bit processors (12 bytes) and of 32-bit processors (8 bytes).
template <target T> using codec =
    wire::record<wire::in_struct_order<entry<T>, wire::address_field<&entry<T>::value>>,
                 wire::order::little, wire::placement::packed, T>;
static_assert(wire::is_laid_out_as<codec<target::x64>, R"(
Offset  Size  Field
------  ----  -----
0       2     type
2       2     size
4       8     value
)">);

// Functions with larger ids are system calls.
inline constexpr std::uint64_t first_syscall_id = std::uint64_t{1} << 32;

// Returns true for instructions that the processor fetched. Type instr_bundle stands for several.
constexpr bool is_instruction(record_type t) noexcept {
  return (t >= record_type::instr && t <= record_type::instr_return) ||
         t == record_type::instr_sysenter || t == record_type::instr_taken_jump ||
         t == record_type::instr_untaken_jump;
}
// Returns true for prefetches that an instruction makes, unlike those of the processor.
constexpr bool is_prefetch(record_type t) noexcept {
  const auto n = static_cast<unsigned>(t);
  return (n >= 2 && n <= 9) || (n >= 32 && n <= 46);
}
// Returns true for records that marker `record_ordinal` counts (DynamoRIO's memref_counter_t). It does
// not count the time and cpu that a chunk repeats, either.
template <target T> constexpr bool is_counted(const entry<T>& e) noexcept {
  const bool is_address =
      e.size == 0 && (is_instruction(e.type) || e.is(record_type::instr_no_fetch) ||
                      e.is(record_type::instr_flush) || e.is(record_type::data_flush));
  return !is_address && !e.is(record_type::header) && !e.is(record_type::thread) &&
         !e.is(record_type::pid) && !e.is(record_type::footer) && !e.is(record_type::encoding) &&
         !e.is(marker::branch_target) && !e.is(marker::record_ordinal);
}
constexpr bool is_indirect(record_type t) noexcept {
  return t == record_type::instr_indirect_jump || t == record_type::instr_indirect_call ||
         t == record_type::instr_return;
}
constexpr feed::branch_class class_of(record_type t) noexcept {
  using feed::branch_class;
  constexpr std::array classes{branch_class::direct_jump,   branch_class::indirect,
                               branch_class::conditional,   branch_class::direct_call,
                               branch_class::indirect_call, branch_class::return_};
  if (t >= record_type::instr_direct_jump && t <= record_type::instr_return)
    return classes[static_cast<std::size_t>(t) - 11];
  return t == record_type::instr_taken_jump || t == record_type::instr_untaken_jump
             ? branch_class::conditional
             : branch_class::not_branch;
}

}  // namespace tracecodec::drmemtrace
