// Computes the memory accesses of an instruction, or of one iteration of a repeated string
// instruction. An access covers an entire operand.
#pragma once
#include <cstddef>
#include <cstdint>

#include "address.hpp"

namespace tracecodec::x86 {

// Access to `size` bytes at `address`.
struct memory_access {
  std::uint64_t address = 0;
  std::uint16_t size = 0;
  bool write = false;
  friend constexpr bool operator==(const memory_access&, const memory_access&) = default;
};

namespace detail {
// Calls sink(memory_access) for each access of the instruction `enter`. The instruction pushes rbp.
// If frame_level is not 0, the instruction then copies frame_level - 1 older frame pointers, and
// pushes the new frame pointer.
template <machine_state S, class Sink>
constexpr void enter_frame(const instruction& i, const memory_operand& m, const S& s, Sink& sink) {
  const std::uint64_t mask = low_bytes(m.address_bytes);
  std::uint64_t top = s.value(m.base), frame = s.value(reg::rbp);
  const auto push = [&] { sink(memory_access{top = (top - m.size) & mask, m.size, true}); };
  push();
  for (unsigned level = 1; level < i.frame_level; ++level) {
    sink(memory_access{frame = (frame - m.size) & mask, m.size, false});
    push();
  }
  if (i.frame_level != 0) push();
}
}  // namespace detail

// Calls sink(memory_access) for each memory operand that `i` accesses if it is executed in the
// state `s`. Reads are reported before writes. An operand that is both read and written is reported
// twice. Returns false if some accesses cannot be determined.
//
// - push and call store below the stack pointer, and pop and ret load at the stack pointer. xlat
//   loads at rbx + al. If the bit number of bt is in a register, bt accesses the word that contains
//   the bit.
// - For a repeated string instruction, only one iteration is reported. If the count is 0, there is
//   no access.
// - A masked operand (maskmov, AVX-512) is reported with its full size, regardless of the mask.
// - FXSAVE, FSAVE, FSTENV and similar instructions access the entire save area at once. For XSAVE
//   and XRSTOR, only the first 576 bytes are reported, because the rest of the area depends on the
//   machine.
// - Gather, scatter and tile instructions, bndldx, bndstx and VIA's PadLock instructions are not
//   reported, because their addresses are in vector registers or tables. The function returns false
//   for these instructions.
// - lea, nop, prefetches and flushes do not access memory. The processor's implicit accesses are
//   not reported (to descriptor tables, the shadow stack, and an interrupt handler's stack).
template <machine_state S, class Sink>
TRACECODEC_INLINE constexpr bool accesses(const instruction& i, const S& s, Sink&& sink) {
  if (i.memory_count == 0) return true;
  if (i.repeated && (s.value(reg::rcx) & low_bytes(i.address_bytes)) == 0) return true;
  bool complete = true;
  for (const memory_operand& m : i.memory_operands()) {
    if (m.kind == memory_kind::scattered) [[unlikely]] {
      complete = false;
    } else if (m.kind == memory_kind::frame) [[unlikely]] {
      detail::enter_frame(i, m, s, sink);
    } else {
      const std::uint64_t at = address(i, m, s);
      if (m.reads) sink(memory_access{at, m.size, false});
      if (m.writes) sink(memory_access{at, m.size, true});
    }
  }
  return complete;
}

}  // namespace tracecodec::x86
