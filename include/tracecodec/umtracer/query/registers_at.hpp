// Registers at a record: each byte known, and from which record, or unknown.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory_at.hpp"
#include "register_effects.hpp"

namespace tracecodec::umtracer {

// A register at a moment. A view, as long as the register_state lives.
struct register_value {
  std::uint16_t id = 0;                    // in the trace's context map
  std::span<const known_byte> bytes = {};  // little-endian; empty: the mode has no such register

  // Whether there is such a register, and all its bytes are known.
  [[nodiscard]] bool known() const noexcept {
    return !bytes.empty() &&
           std::all_of(bytes.begin(), bytes.end(), [](const known_byte& b) { return b.known; });
  }
  // Bit i: byte i of the first 64 is known.
  [[nodiscard]] std::uint64_t known_mask() const noexcept {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 64; ++i)
      mask |= std::uint64_t{bytes[i].known} << i;
    return mask;
  }
  // The value, of wide registers their low 64 bits; nullopt unless those are known.
  [[nodiscard]] std::optional<std::uint64_t> number() const noexcept {
    const std::size_t n = std::min<std::size_t>(bytes.size(), 8);
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!bytes[i].known) return std::nullopt;
      v |= std::to_integer<std::uint64_t>(bytes[i].value) << 8 * i;
    }
    return n == 0 ? std::nullopt : std::optional(v);
  }
};

namespace detail {
// All registers just after a record, as they were found once: where looking backwards may end.
struct known_registers {
  std::uint64_t record;
  std::vector<known_byte> bytes;  // of a context of the record's mode
};
}  // namespace detail

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
  // `known`, if any: of an earlier record of the thread, which must live as long. Throws as get().
  register_state(const reader& trace, std::uint64_t n, moment when,
                 const detail::known_registers* known = nullptr)
      : trace_(&trace),
        known_(known),
        at_((detail::require_record(trace, n), n)),
        roles_(trace.registers(), trace[n].code64()),
        bytes_(trace.registers().dump_size()) {
    look(n, when);
  }

  // A register of the trace's context map, by its number or by its name in any case of letters,
  // such as "rax". Without bytes if the mode or the map has none such. The bytes are kept here.
  // Throws trace_error: bad_value for records before that are not earlier ones of the same thread;
  // as row_of(), decoded() and context(); truncated if a record has no room for a slot.
  register_value get(std::uint16_t id) & {
    const detail::context_place p = roles_.place(id);
    while (more_ && !bytes_.settled(p.offset, p.size)) step();
    return {id, std::span(bytes_.bytes()).subspan(p.offset, p.size)};
  }
  register_value get(std::string_view name) & {
    const auto id = trace_->registers().find(name);
    return id ? get(*id) : register_value{};
  }
  // All of them: a context of the record's mode, with the places that registers().info() has.
  // Throws as get().
  [[nodiscard]] std::span<const known_byte> all() & {
    while (more_) step();
    return bytes_.bytes();
  }
  std::span<const known_byte> all() && = delete;
  register_value get(std::uint16_t id) && = delete;
  register_value get(std::string_view name) && = delete;

  // The earliest record that was looked at so far, and how many were.
  [[nodiscard]] std::uint64_t earliest() const noexcept { return at_; }
  [[nodiscard]] std::uint64_t records_read() const noexcept { return records_; }

 private:
  void look(std::uint64_t id, moment until) {
    const record_view r = (*trace_)[id];
    if (r.code64() != roles_.code64()) {
      more_ = false;
      return;
    }
    at_ = id;
    ++records_;
    const detail::register_effects effects(*trace_, roles_, bytes_);
    if (until == moment::after) effects.after(r);
    effects.before(r);
    more_ = (r.flags() & exec_flags::instrumentation_off) == 0 && bytes_.open() != 0;
  }

  void step() {
    const record_view r = (*trace_)[at_];
    const std::int64_t previous = trace_->neighbours_of(at_).previous;
    if (previous == no_eid) {
      more_ = false;
      return;
    }
    const auto id = static_cast<std::uint64_t>(previous);
    if (previous < 0 || id >= at_ || (*trace_)[id].thread() != r.thread())
      fail(std::to_string(previous) + " is no earlier record of the thread");
    if (known_ != nullptr && id <= known_->record) return end_at_known(id);
    look(id, moment::after);
  }
  void end_at_known(std::uint64_t id) {
    if (id != known_->record)
      fail(std::to_string(id) + " passes over record " + std::to_string(known_->record) +
           " of the thread");
    more_ = false;
    at_ = id;
    if ((*trace_)[id].code64() != roles_.code64()) return;
    for (std::size_t i = 0; i < known_->bytes.size(); ++i)
      if (const known_byte& b = known_->bytes[i]; b.known)
        bytes_.tell(i, std::span(&b.value, 1), b.record);
  }
  [[noreturn]] void fail(const std::string& why) const {
    trace_->files().fail(file::exec_neighbours, trace_errc::bad_value, at_ * neighbours_codec::size,
                         at_, "previous", why);
  }

  const reader* trace_;
  const detail::known_registers* known_;
  std::uint64_t at_;
  std::uint64_t records_ = 0;
  bool more_ = true;
  detail::register_roles roles_;
  detail::settled_bytes bytes_;
};

// The registers at record `n`, by default just before it is executed. Throws trace_error: refused
// if there is no such record; as register_state::get().
inline register_state registers_at(const reader& trace, std::uint64_t n,
                                   moment when = moment::before) {
  return {trace, n, when};
}

}  // namespace tracecodec::umtracer
