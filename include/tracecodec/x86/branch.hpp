// Functions that determine whether a branch is taken, and find its target. If the next executed
// instruction does not determine the result, the functions use the registers before the branch.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "address.hpp"

namespace tracecodec::x86 {

// Returns true if the condition `c` is met in the state `s`. Always returns true for `none`.
// `counter_bytes` is the instruction's address_bytes, which is also the size of its loop counter.
template <machine_state S> constexpr bool holds(condition c, unsigned counter_bytes, const S& s) {
  const auto flag = [&](unsigned bit) { return (s.value(reg::flags) >> bit & 1) != 0; };
  constexpr unsigned carry = 0, parity = 2, zero = 6, sign = 7, overflow = 11;
  const auto count = [&](unsigned less) {
    return (s.value(reg::rcx) - less) & low_bytes(counter_bytes);
  };
  switch (c) {
    case condition::count_zero:
      return count(0) == 0;
    case condition::loop:
      return count(1) != 0;
    case condition::loop_equal:
      return count(1) != 0 && flag(zero);
    case condition::loop_not_equal:
      return count(1) != 0 && !flag(zero);
    case condition::none:
      return true;
    default:
      break;
  }
  const std::array<bool, 8> codes{flag(overflow),
                                  flag(carry),
                                  flag(zero),
                                  flag(carry) || flag(zero),
                                  flag(sign),
                                  flag(parity),
                                  flag(sign) != flag(overflow),
                                  flag(zero) || flag(sign) != flag(overflow)};
  const unsigned code = static_cast<unsigned>(c);
  return codes[code / 2] != (code % 2 != 0);  // an odd code negates the preceding even code
}

// Returns true if `i` is taken according to the state `s`. Returns nullopt for branches of
// kind::other, because the state does not determine their outcome.
template <machine_state S> constexpr std::optional<bool> taken(const instruction& i, const S& s) {
  switch (i.kind) {
    case kind::not_branch:
    case kind::system:
      return false;
    case kind::other:
      return std::nullopt;
    case kind::conditional:
      return holds(i.condition, i.address_bytes, s);
    default:
      return true;
  }
}

// Returns the address of the instruction after `i` in memory. `i` is at `ip`.
constexpr std::uint64_t next_ip(const instruction& i, std::uint64_t ip) noexcept {
  return (ip + i.length) & low_bytes(i.pointer_bytes);
}

// Returns the target of a direct branch at `ip`, or nullopt for other instructions.
constexpr std::optional<std::uint64_t> direct_target(const instruction& i,
                                                     std::uint64_t ip) noexcept {
  if (i.kind != kind::direct_jump && i.kind != kind::direct_call && i.kind != kind::conditional)
    return std::nullopt;
  const std::uint64_t from = i.absolute ? 0 : ip + i.length;
  return (from + static_cast<std::uint64_t>(i.branch_offset)) & low_bytes(i.target_bytes);
}

// Returns the target of `i` if `i` is a direct branch or a branch to a register's value. `i` must
// be at the ip of the state. Returns nullopt for all other instructions, because they have no
// target or load it from memory.
template <machine_state S>
constexpr std::optional<std::uint64_t> branch_target(const instruction& i, const S& s) {
  switch (i.kind) {
    case kind::direct_jump:
    case kind::direct_call:
    case kind::conditional:
      return direct_target(i, s.value(reg::ip));
    case kind::indirect_jump:
    case kind::indirect_call:
      if (i.operand == reg::none) return std::nullopt;
      return s.value(i.operand) & low_bytes(i.target_bytes);
    default:
      return std::nullopt;
  }
}

// Returns true if `i` was taken. `i` must be at the ip of the state. `successor` is the ip that the
// thread executed next. `successor` is inconclusive if the branch's target is also the next
// instruction in memory. It is also inconclusive after an exception, because it is then neither the
// target nor the next instruction in memory. In these cases, the condition of a conditional branch
// is evaluated in the state.
template <machine_state S>
constexpr bool taken(const instruction& i, const S& s, std::uint64_t successor) {
  if (i.kind >= kind::not_branch) return false;
  const std::uint64_t fall_through = next_ip(i, s.value(reg::ip));
  if (i.kind == kind::other) return successor != fall_through;
  if (i.kind != kind::conditional) return true;
  const std::uint64_t target = *branch_target(i, s);
  if (target != fall_through && successor == fall_through) return false;
  if (target != fall_through && successor == target) return true;
  return holds(i.condition, i.address_bytes, s);
}

}  // namespace tracecodec::x86
