// Determines the registers just before or just after a record. Each byte is either known from a
// record or unknown.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../config.hpp"
#include "engine/register_effects.hpp"
#include "memory_at.hpp"

namespace tracecodec::umtracer {

// View of a register at a moment. The view is valid as long as the register_state exists.
struct register_value {
  std::uint16_t id = 0;  // number in the trace's context map
  // Bytes in little-endian order. The span is empty if the mode does not have the register.
  std::span<const known_byte> bytes = {};

  // Returns true if the register exists and all its bytes are known.
  [[nodiscard]] bool known() const noexcept;
  // Returns a mask for the first 64 bytes, in which bit i is set if byte i is known.
  [[nodiscard]] std::uint64_t known_mask() const noexcept;
  // Returns the low 64 bits of the register, or nullopt if some of these bits are unknown.
  [[nodiscard]] std::optional<std::uint64_t> number() const noexcept;
};

// Registers of a record's thread just before or just after the record, reconstructed from the
// thread's records. get() reads the records backwards until it has found the requested register,
// and caches the values that it has read. Use registers_at() to create a register_state.
//
// - Input values of an instruction are valid before the instruction. Result values are valid after
//   the instruction.
// - The context of a system call entry is valid before that record. The context of a thread begin,
//   a system call exit or a context change is valid after that record.
// - Later records take precedence over earlier records.
// - After an unreliable record, the registers that it writes are unknown.
// - Records before the latest record with exec_flags::instrumentation_off are ignored.
// - A record of the other mode (32 or 64 bits) is ignored together with all earlier records.
// - The instruction pointer is known before an instruction.
// - The x87 registers are unknown after an instruction that may rotate the x87 stack, except for
//   the instruction's results. The upper parts of partially written vector registers are unknown,
//   too.
class register_state {
 public:
  // Creates the state for record `n` and reads that record. Throws the errors of registers_at().
  register_state(const reader& trace, std::uint64_t n, moment when);

  // Sets a callback that get() and all() call after every 65,536 records read. An exception from
  // the callback cancels the query. The next call to get() or all() continues with the next unread
  // record.
  void on_poll(poll_hook f) { poll_hook_ = std::move(f); }

  // Functions that return a register of the trace's context map, by number or by name, such as
  // "rax". The case of the name is ignored. The result has no bytes if the mode or the map does not
  // have the register. The bytes are stored in this object. The functions throw the errors of
  // row_of(), decoded() and context(), and also:
  // - trace_error(bad_value) if the thread's previous record is not an earlier record of that
  //   thread
  // - trace_error(truncated) if a record is too short for a slot
  register_value get(std::uint16_t id) &;
  register_value get(std::string_view name) &;
  // Returns all registers as a context of the record's mode, in the layout of registers().info().
  // Throws the errors of get().
  [[nodiscard]] std::span<const known_byte> all() &;
  std::span<const known_byte> all() && = delete;
  register_value get(std::uint16_t id) && = delete;
  register_value get(std::string_view name) && = delete;

  // Functions that return the id of the earliest record read so far, and the number of records
  // read.
  [[nodiscard]] std::uint64_t earliest() const noexcept { return at_; }
  [[nodiscard]] std::uint64_t records_read() const noexcept { return records_; }

 private:
  void look(std::uint64_t id, moment until);

  void step();
  [[noreturn]] void fail(const std::string& why) const;

  const reader* trace_;
  std::uint64_t at_;
  std::uint64_t records_ = 0;
  bool more_ = true;
  poll_hook poll_hook_ = {};
  detail::register_roles roles_;
  detail::settled_bytes bytes_;
};

// Returns the registers at record `n`, by default just before it is executed. Throws the errors of
// register_state::get(), and trace_error(refused) if the record does not exist.
register_state registers_at(const reader& trace, std::uint64_t n, moment when = moment::before);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/registers_at.ipp"
#endif
