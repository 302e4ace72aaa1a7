// Branch classes of instructions whose code is unknown, from the values of registers and memory
// (recorded_state.hpp).
#pragma once
#include <cstddef>
#include <cstdint>

#include "../wire/types/scalar.hpp"
#include "instruction.hpp"
#include "recorded_state.hpp"

namespace tracecodec::feed {

// Return the class of the current instruction of `s`, which is at `ip`, and which the instruction at
// `next` follows. If this one is elsewhere, the class is return_ if it is at the return address,
// direct_call if the instruction stores a return address, otherwise direct_jump. Whether a branch is
// indirect or conditional is unknown, as are branches that are not taken. Instructions that are
// repeated are not branches.
//
// branch_by_stack() is for x86, whose stack pointer is word `sp`. Instructions have at most 15 bytes.
template <std::size_t Most> branch_class branch_by_stack(const state_recorder<Most>& s,
                                                         std::uint64_t ip, std::uint64_t next,
                                                         std::size_t sp) {
  constexpr std::uint64_t longest = 15, most_arguments = 0x10000;
  const std::uint64_t size = s.set().words[sp].size, before = s.before().values[sp];
  const std::uint64_t moved = s.after(sp) - before;
  // Returns the address that the instruction writes to, or reads from, the stack at `place`.
  const auto on_stack = [&s, size](std::uint64_t place, bool write) -> std::uint64_t {
    for (const recorded_access& a : s.accesses())
      if (a.address == place && a.size == size && a.write == write && a.has_bytes)
        return wire::load_little(s.bytes_of(a).data(), static_cast<std::size_t>(size));
    return 0;
  };
  if (moved == -size && on_stack(s.after(sp), true) - ip - 1 < longest)
    return branch_class::direct_call;
  if (moved - size < most_arguments && next != 0 && on_stack(before, false) == next)
    return branch_class::return_;
  return next - ip > longest ? branch_class::direct_jump : branch_class::not_branch;
}
// branch_by_link() is for processors whose calls store the return address in word `link`, and whose
// instructions have 4 bytes.
template <std::size_t Most> branch_class branch_by_link(const state_recorder<Most>& s,
                                                        std::uint64_t ip, std::uint64_t next,
                                                        std::size_t link) {
  if (next - ip == 4 || next == ip) return branch_class::not_branch;
  if (s.after(link) == ip + 4) return branch_class::direct_call;
  return next == s.before().values[link] ? branch_class::return_ : branch_class::direct_jump;
}

}  // namespace tracecodec::feed
