// What columns of instructions there are, and sets of them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tracecodec::feed {

// What is known of each instruction. A row is an instruction; a flag is a byte, 0 or 1.
enum class column : std::uint8_t {
  index,   // u64: its number in the trace; of formats that do not tell, in what the source delivers
  ip,      // u64: virtual address
  branch,  // branch_class
  is_branch,              // flag, as of feed::instruction
  taken,                  // flag
  target,                 // u64: 0 if not taken, or not known
  thread,                 // u32: thread or address space, asid() of feed::instruction
  thread_known,           // flag: whether the trace says which thread; else `thread` is 0
  size,                   // u32: bytes of its code
  code,                   // list of bytes
  text,                   // list of characters: how it reads, of formats whose traces hold that
  called,                 // flag: whether it has the mnemonic of column_source::watch_mnemonic()
  operation,              // u8: what an event does, by its number in the format (RapidBin)
  decor,                  // u64: of an event
  location,               // u32: of an event
  event_operand,          // u64: what an event is about that neither reads nor writes
  destination_registers,  // list of u8: those that are written
  source_registers,       // list of u8: those that are read
  lost_operands,          // u64: how many operands the lists do not show
  memory,                 // list: what is read, then what is written (memory_column)
  memory_values,          // list: contents of memory (memory_values_column)
  register_values,        // list: contents of registers (register_values_column)
  watched,                // list: values of the register of column_source::watch_register()
  recorded_branch,        // flag of the record, as it was written (ChampSim)
  recorded_taken,         // flag of the record, as it was written (ChampSim)
  doubts,                 // u8: bits of `doubt`, what of it is not known for sure
  reads,                  // flag: whether it reads memory, as source_memory() of feed::instruction
  writes                  // flag: whether it writes memory
};
inline constexpr std::size_t column_count = 28;

// What of an instruction is not known for sure.
enum class doubt : std::uint8_t {
  address = 1,  // of an operand in memory, which is left out
  code = 2,     // no instruction that anybody knows, so taken for no branch
  outcome = 4   // of a branch: its thread does not go on in the trace, it is estimated
};

// "ip", "destination_registers" ...
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
                                                             "called",
                                                             "operation",
                                                             "decor",
                                                             "location",
                                                             "event_operand",
                                                             "destination_registers",
                                                             "source_registers",
                                                             "lost_operands",
                                                             "memory",
                                                             "memory_values",
                                                             "register_values",
                                                             "watched",
                                                             "recorded_branch",
                                                             "recorded_taken",
                                                             "doubts",
                                                             "reads",
                                                             "writes"};
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
  // Those of `a` that are not in `b`.
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
// Those that may be asked of every format: one without branches has none that is taken, one without
// threads the thread 0.
inline constexpr column_set common_columns =
    branch_columns | operand_columns | column_set{column::index,  column::ip,
                                                  column::thread, column::lost_operands,
                                                  column::reads,  column::writes};

}  // namespace tracecodec::feed
