// Memory accesses of one step of an instruction. Each access is a whole operand, with its
// address and size.
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
// Calls sink(memory_access) for each access of the instruction enter. The instruction pushes
// rbp, then copies frame_level - 1 older frame pointers, then pushes the new frame pointer.
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

// Calls sink(memory_access) for each operand that the step of `i` from state `s` accesses,
// reads before writes. An operand that is read and written is reported twice. Returns false if
// some accesses cannot be determined.
//
// - push and call store below the stack pointer, and pop and ret load at the stack pointer. xlat
//   loads at rbx + al. bt with a bit number in a register accesses the operand that contains the
//   bit.
// - A repeated string instruction accesses one element per step. With count 0 it accesses
//   nothing.
// - A masked operand (maskmov, AVX-512) is reported with its full size, whatever the mask.
// - FXSAVE, FSAVE, FSTENV and similar instructions are one access to the whole saved area. XSAVE
//   and XRSTOR are one access to the 576 bytes that every area has. The rest depends on the
//   machine.
// - Gather, scatter, tiles, bndldx, bndstx and VIA's PadLock are not reported, because their
//   addresses are in vector registers or tables. They make the result false.
// - lea, nop, prefetches and flushes access nothing. Implicit accesses of the processor are not
//   reported (descriptor tables, shadow stack, the stack of an interrupt handler).
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
