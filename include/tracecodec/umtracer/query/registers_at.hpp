// Registers at a record: each byte known, and from which record, or unknown.
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

// A register at a moment. A view, as long as the register_state lives.
struct register_value {
  std::uint16_t id = 0;                    // in the trace's context map
  std::span<const known_byte> bytes = {};  // little-endian; empty: the mode has no such register

  // Whether there is such a register, and all its bytes are known.
  [[nodiscard]] bool known() const noexcept;
  // Bit i: byte i of the first 64 is known.
  [[nodiscard]] std::uint64_t known_mask() const noexcept;
  // The value, of wide registers their low 64 bits; nullopt unless those are known.
  [[nodiscard]] std::optional<std::uint64_t> number() const noexcept;
};

// The registers of a record's thread just before it is executed, or just after it, as far as the
// records of the thread up to there tell. It looks at records backwards through the thread only as
// far as get() needs; what it has seen it remembers. registers_at() makes one.
//
// Operands of an instruction hold before it, its results after it; a context holds before a system
// call entry, and after a thread's begin, a system call's exit and a change of context. A later
// record counts more than an earlier one. What an unreliable record writes is unknown from there
// on; nothing from before a record with exec_flags::instrumentation_off counts, nor from before one
// of the other mode (32 or 64 bits). The instruction pointer is known before an instruction.
// Registers of the x87 are unknown behind an instruction that may turn their stack, but for its own
// results; so are the upper parts of vector registers that are written in part.
class register_state {
 public:
  // Throws as get().
  register_state(const reader& trace, std::uint64_t n, moment when);

  // Called by get() and all() every 65,536 records that they look at. What it throws ends them, and
  // they go on from there when they are called again.
  void on_pause(pause f) { pause_ = std::move(f); }

  // A register of the trace's context map, by its number or by its name in any case of letters,
  // such as "rax". Without bytes if the mode or the map has none such. The bytes are kept here.
  // Throws trace_error: bad_value for records before that are not earlier ones of the same thread;
  // as row_of(), decoded() and context(); truncated if a record has no room for a slot.
  register_value get(std::uint16_t id) &;
  register_value get(std::string_view name) &;
  // All of them: a context of the record's mode, with the places that registers().info() has.
  // Throws as get().
  [[nodiscard]] std::span<const known_byte> all() &;
  std::span<const known_byte> all() && = delete;
  register_value get(std::uint16_t id) && = delete;
  register_value get(std::string_view name) && = delete;

  // The earliest record that was looked at so far, and how many were.
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
  pause pause_ = {};
  detail::register_roles roles_;
  detail::settled_bytes bytes_;
};

// The registers at record `n`, by default just before it is executed. Throws trace_error: refused
// if there is no such record; as register_state::get().
register_state registers_at(const reader& trace, std::uint64_t n, moment when = moment::before);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/registers_at.ipp"
#endif
