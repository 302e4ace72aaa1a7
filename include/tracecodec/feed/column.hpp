// Names of the columns of instructions, and sets of columns.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::feed {

// Columns of a batch of instructions. A row is an instruction. A flag is a byte that is 0 or 1.
enum class column : std::uint8_t {
  index,             // u64: number in the trace if the format stores it, otherwise in the source
  ip,                // u64: virtual address
  branch,            // branch_class
  is_branch,         // flag: result of is_branch() of feed::instruction
  taken,             // flag
  target,            // u64: 0 if not taken or unknown
  thread,            // u32: thread or address space, the result of asid() of feed::instruction
  thread_known,      // flag: 1 if the trace records the thread; otherwise `thread` is 0
  size,              // u32: length of the code in bytes
  code,              // list of bytes: the code
  text,              // list of characters: assembly text, if the trace stores it
  mnemonic_matches,  // flag: 1 if the mnemonic is the one passed to match_mnemonic()
  operation,         // u8: operation of an event, as numbered by the format (RapidBin)
  decor,             // u64: decor of an event (RapidBin)
  location,          // u32: location of an event
  event_operand,     // u64: operand of an event, if the event neither reads nor writes that operand
  destination_registers,  // list of u8: registers written
  source_registers,       // list of u8: registers read
  dropped_operands,       // u64: number of operands missing from the lists
  memory,                 // list: memory read, then memory written (memory_column)
  memory_values,          // list: contents of memory (memory_values_column)
  register_values,        // list: contents of registers (register_values_column)
  register_value,   // list: values of the register chosen with column_source::select_register()
  recorded_branch,  // flag stored in the record, unchanged (ChampSim)
  recorded_taken,   // flag stored in the record, unchanged (ChampSim)
  uncertainty,      // u8: bits of enum uncertainty that apply to the instruction
  reads,            // flag: 1 if the instruction reads memory (source_memory())
  writes,           // flag: 1 if the instruction writes memory (destination_memory())
  time,             // u64: last time that the trace stores, in the format's unit, or 0
  cpu,              // u32: processor that executed the instruction, or unknown_cpu
  system_events     // u16: bits of enum system_event
};
inline constexpr std::size_t column_count = 31;

// Aspects of an instruction that are unknown or estimated. Each enumerator is one bit of a mask.
enum class uncertainty : std::uint8_t {
  unknown_address = 1,  // the address of a memory operand is unknown, so the operand is omitted
  undecoded = 2,        // the code cannot be decoded, so the instruction is not treated as a branch
  // The outcome of a branch is estimated, because the trace does not contain the thread's next
  // instruction.
  estimated_outcome = 4
};

// Events between the previous instruction of the thread and this one. Each enumerator is one bit of a
// mask.
enum class system_event : std::uint16_t {
  system_call = 1,
  blocking = 2,         // a system call that may block
  signal = 4,           // the kernel interrupted the thread: a signal handler follows, or an abort
  transfer = 8,         // the kernel changed the address, such as at the end of a signal handler
  context_switch = 16,  // the kernel changed the thread of the processor
  kernel_begin = 32,    // instructions of the kernel begin
  kernel_end = 64,      // instructions of the kernel end
  wait = 128,           // the processor waited, or had no thread
  gap = 256             // the trace leaves out instructions
};
inline constexpr std::uint32_t unknown_cpu = ~std::uint32_t{0};

// Returns the name of a column, such as "ip" or "destination_registers".
constexpr std::string_view name(column c) noexcept {
  constexpr std::array<std::string_view, column_count> names{"index",
                                                             "ip",
                                                             "branch",
                                                             "is_branch",
                                                             "taken",
                                                             "target",
                                                             "thread",
                                                             "thread_known",
                                                             "size",
                                                             "code",
                                                             "text",
                                                             "mnemonic_matches",
                                                             "operation",
                                                             "decor",
                                                             "location",
                                                             "event_operand",
                                                             "destination_registers",
                                                             "source_registers",
                                                             "dropped_operands",
                                                             "memory",
                                                             "memory_values",
                                                             "register_values",
                                                             "register_value",
                                                             "recorded_branch",
                                                             "recorded_taken",
                                                             "uncertainty",
                                                             "reads",
                                                             "writes",
                                                             "time",
                                                             "cpu",
                                                             "system_events"};
  return names[static_cast<std::size_t>(c)];
}

class column_set {
 public:
  constexpr column_set() = default;
  constexpr column_set(std::initializer_list<column> all) noexcept {
    for (const column c : all) bits_ |= bit(c);
  }
  [[nodiscard]] constexpr bool has(column c) const noexcept { return (bits_ & bit(c)) != 0; }
  [[nodiscard]] constexpr bool has_any(column_set s) const noexcept {
    return (bits_ & s.bits_) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr column_set& operator|=(column_set s) noexcept {
    bits_ |= s.bits_;
    return *this;
  }
  friend constexpr column_set operator|(column_set a, column_set b) noexcept { return a |= b; }
  friend constexpr column_set operator&(column_set a, column_set b) noexcept {
    a.bits_ &= b.bits_;
    return a;
  }
  // Returns the columns of `a` that are not in `b`.
  friend constexpr column_set operator-(column_set a, column_set b) noexcept {
    a.bits_ &= ~b.bits_;
    return a;
  }
  friend constexpr bool operator==(column_set, column_set) = default;

 private:
  static constexpr std::uint32_t bit(column c) noexcept {
    return std::uint32_t{1} << static_cast<unsigned>(c);
  }
  std::uint32_t bits_ = 0;
};

inline constexpr column_set branch_columns{column::branch, column::is_branch, column::taken,
                                           column::target};
inline constexpr column_set operand_columns{column::destination_registers, column::source_registers,
                                            column::memory};
// Columns that every format supports. Formats without branches report no taken branches. Formats
// without threads report thread 0.
inline constexpr column_set common_columns =
    branch_columns | operand_columns | column_set{column::index,  column::ip,
                                                  column::thread, column::dropped_operands,
                                                  column::reads,  column::writes};

}  // namespace tracecodec::feed
