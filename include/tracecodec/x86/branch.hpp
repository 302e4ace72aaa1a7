// Functions that determine whether a branch is taken, and its target. They use the next executed
// instruction, or the registers before the branch if that instruction is inconclusive.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "address.hpp"

namespace tracecodec::x86 {

// Returns true if `c` holds in state `s`. Always returns true for `none`. `counter_bytes` is the
// instruction's address_bytes.
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
  return codes[code / 2] != (code % 2 != 0);  // an odd code negates the previous one
}

// Returns true if `i` is taken according to state `s` alone. Returns nullopt for kind::other,
// which depends on more than `s`.
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

// Returns the address after `i`, which is at `ip`.
constexpr std::uint64_t next_ip(const instruction& i, std::uint64_t ip) noexcept {
  return (ip + i.length) & low_bytes(i.pointer_bytes);
}

// Returns the target of `i`, which is at the state's ip, if `i` is a direct branch or a branch
// to a register's value. Returns nullopt for other instructions, which have no target or load it
// from memory.
template <machine_state S>
constexpr std::optional<std::uint64_t> branch_target(const instruction& i, const S& s) {
  switch (i.kind) {
    case kind::direct_jump:
    case kind::direct_call:
    case kind::conditional: {
      const std::uint64_t from = i.absolute ? 0 : s.value(reg::ip) + i.length;
      return (from + static_cast<std::uint64_t>(i.branch_offset)) & low_bytes(i.target_bytes);
    }
    case kind::indirect_jump:
    case kind::indirect_call:
      if (i.operand == reg::none) return std::nullopt;
      return s.value(i.operand) & low_bytes(i.target_bytes);
    default:
      return std::nullopt;
  }
}

// Returns true if `i`, which is at the state's ip, was taken. `successor` is the ip that the
// thread executed next. The state decides only for a conditional branch with an inconclusive
// successor. Either the branch's target is the next instruction, or `successor` is neither the
// target nor the next instruction, for example because of an exception.
template <machine_state S>
constexpr bool taken(const instruction& i, const S& s, std::uint64_t successor) {
  if (i.kind >= kind::not_branch) return false;
  const std::uint64_t behind = next_ip(i, s.value(reg::ip));
  if (i.kind == kind::other) return successor != behind;
  if (i.kind != kind::conditional) return true;
  const std::uint64_t target = *branch_target(i, s);
  if (target != behind && successor == behind) return false;
  if (target != behind && successor == target) return true;
  return holds(i.condition, i.address_bytes, s);
}

}  // namespace tracecodec::x86
