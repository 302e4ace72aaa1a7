// Decodes executed instructions for simulators. Operands are complete, and are stored in lists, as
// in ChampSim's records. The decoder derives the operands from the disassembled code and the
// registers before the instruction.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../x86/cache.hpp"
#include "../../x86/operands.hpp"
#include "../reader/instruction.hpp"
#include "executed_instruction.hpp"

namespace tracecodec::x64dbg {

// Base addresses of the segments fs and gs in a thread. A base is unknown until a memory access of
// the thread reveals it.
struct segment_bases {
  std::array<std::uint64_t, 2> base = {};
  std::array<bool, 2> known = {};
  static constexpr std::size_t slot(x86::reg r) noexcept { return r == x86::reg::gs ? 1 : 0; }
};

// Registers before an instruction. Models x86::machine_state.
template <target T> class machine {
 public:
  constexpr machine(const register_state<T>& s, const segment_bases& b) noexcept
      : state_(&s), bases_(&b) {}

  TRACECODEC_INLINE constexpr std::uint64_t value(x86::reg r) const noexcept {
    const std::size_t n = x86::number(r);
    const std::size_t w = n < words.size() ? words[n] : none;
    return w == none ? 0 : (*state_)[w];
  }
  [[nodiscard]] constexpr std::uint64_t segment_base(x86::reg r) const noexcept {
    return bases_->base[segment_bases::slot(r)];
  }

 private:
  static constexpr std::uint8_t none = 0xFF;
  // Index of the REGDUMP word for each register number.
  static constexpr auto words = [] {
    using x86::reg;
    std::array<std::uint8_t, x86::number(reg::ip) + 1> w{};
    w.fill(none);
    constexpr std::array general{reg::rax, reg::rcx, reg::rdx, reg::rbx,
                                 reg::rsp, reg::rbp, reg::rsi, reg::rdi};
    std::uint8_t at = 0;
    for (const reg r : general) w[x86::number(r)] = at++;
    if (T == target::x64)
      for (std::size_t i = 0; i < 8; ++i) w[x86::number(x86::row(reg::r8, i))] = at++;
    w[x86::number(reg::ip)] = at++;
    w[x86::number(reg::flags)] = at;
    return w;
  }();
  static_assert(words[x86::number(x86::reg::ip)] == register_state<T>::cip_word);
  static_assert(words[x86::number(x86::reg::rsp)] == register_state<T>::csp_word);

  const register_state<T>* state_;
  const segment_bases* bases_;
};

// Decoded instruction with its register lists. These objects are cached, so the lists are computed
// only once for each distinct opcode.
struct decoded_instruction {
  x86::instruction what;
  x86::register_lists<2, 4> registers;
  bool segmented = false;  // true if an operand is relative to fs or gs
  constexpr explicit decoded_instruction(const x86::instruction& i) noexcept
      : what(i), registers(x86::simulator_registers<2, 4>(i)) {
    for (const x86::memory_operand& m : i.memory_operands()) segmented |= in_segment(m);
  }
  static constexpr bool in_segment(const x86::memory_operand& m) noexcept {
    return m.segment == x86::reg::fs || m.segment == x86::reg::gs;
  }
};

namespace detail {
// Derives the bases of fs and gs from recorded accesses. Returns false if the base of an operand is
// still unknown. REGDUMP contains the selectors of fs and gs but not their bases. The addresses
// that x64dbg recorded include the base. Therefore, an access that does not match any other operand
// reveals a base.
template <target T>
bool find_segment_bases(const x86::instruction& i, const instruction<T>& at, segment_bases& bases) {
  const machine<T> s(*at.before, bases);
  bool complete = true;
  for (const x86::memory_operand& m : i.memory_operands()) {
    if (!decoded_instruction::in_segment(m) || m.kind == x86::memory_kind::scattered ||
        m.kind == x86::memory_kind::hint)
      continue;
    const auto explained = [&](std::uint64_t a) {
      for (const x86::memory_operand& other : i.memory_operands())
        if (!decoded_instruction::in_segment(other) && a - x86::address(i, other, s) < other.size)
          return true;
      return false;
    };
    const std::size_t slot = segment_bases::slot(m.segment);
    const std::uint64_t expected = x86::address(i, m, s);
    std::uint64_t found = expected;
    bool seen = false;
    for (const memory_access& a : at.accesses()) {
      if (explained(a.address)) continue;
      if (!seen) found = a.address;
      if (bases.known[slot] && a.address == expected) found = expected;
      seen = true;
    }
    if (seen) {
      bases.base[slot] += found - expected;
      bases.base[slot] &= x86::low_bytes(i.pointer_bytes);
      bases.known[slot] = true;
    }
    complete = complete && bases.known[slot];
  }
  return complete;
}
}  // namespace detail

// Decoder of executed instructions. Callers must pass the instructions in trace order.
template <target T, x86::disassembler D> class lifter {
 public:
  explicit lifter(D d) : cache_(std::move(d)) {}

  // Decodes `at` into `out`, and returns the disassembler's result, which is valid until the next
  // call. Does not set the members for the block's bytes. Resets `taken` and `target`, and sets the
  // outcome of a branch to `awaited`. `bases` must be the bases of the instruction's thread.
  TRACECODEC_INLINE const x86::instruction& operator()(const instruction<T>& at,
                                                       segment_bases& bases,
                                                       executed_instruction& out) {
    const decoded_instruction& d = cache_.decode(at.opcode());
    // Clear each field separately. For an entire struct, g++ generates rep stos, which takes 20 ns.
    out.destination_memory = {};
    out.source_memory = {};
    out.destination_sizes = {};
    out.source_sizes = {};
    out.target = 0;
    out.taken = false;
    out.dropped_destination_memory = out.dropped_source_memory = 0;
    out.index = at.index;
    out.ip = at.ip();
    out.offset = at.offset;
    out.thread = at.thread.value_or(0);
    out.known_thread = at.thread.has_value();
    out.length = at.block.opcode_size;
    out.destination_registers = d.registers.destinations;
    out.source_registers = d.registers.sources;
    out.dropped_destination_registers = d.registers.dropped_destinations;
    out.dropped_source_registers = d.registers.dropped_sources;
    out.kind = d.what.kind;
    out.outcome = d.what.kind < x86::kind::not_branch ? outcome::awaited : outcome::no_branch;
    out.decoded = d.what.valid();
    const bool bases_known = !d.segmented || detail::find_segment_bases<T>(d.what, at, bases);
    out.complete =
        x86::accesses(d.what, machine<T>(*at.before, bases), x86::access_sink(out)) && bases_known;
    return d.what;
  }

 private:
  // Programs have only a few thousand distinct instructions, so 16,384 slots are enough. A full
  // cache needs 3 MB.
  x86::cached_disassembler<D, decoded_instruction, 16384> cache_;
};

}  // namespace tracecodec::x64dbg
