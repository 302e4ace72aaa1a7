// Mapping of a record's members to the properties of an instruction. `Ask` is a member, or
// anything that can be called with the record.
#pragma once
#include <cstdint>
#include <type_traits>

#include "../wire/text.hpp"
#include "instruction.hpp"

namespace tracecodec::feed::map {

// Condition that is true if member `M` has one of these values.
template <auto M, auto... Values> struct is_one_of {
  static constexpr auto member = M;
  static constexpr bool holds(const wire::member_t<M>& v) noexcept {
    return ((v == Values) || ...);
  }
  constexpr bool operator()(const wire::owner_t<M>& r) const noexcept { return holds(r.*M); }
};
template <auto M, auto... Values> inline constexpr is_one_of<M, Values...> is{};

struct no_condition {
  template <class R> constexpr bool operator()(const R&) const noexcept { return true; }
};
inline constexpr no_condition always{};

// Property of an instruction to which a word maps.
enum class role : std::uint8_t {
  ip,
  asid,
  branch,
  taken,
  target,
  destination_registers,
  source_registers,
  destination_memory,
  source_memory
};
template <role Role, auto Ask, auto If = always> struct word {
  static constexpr role what = Role;
  static constexpr auto ask = Ask;
  static constexpr auto condition = If;
};

// Maps the address of the instruction; required.
template <auto Ask> struct ip : word<role::ip, Ask> {};
// Maps the address space or thread; 0 by default.
template <auto Ask> struct asid : word<role::asid, Ask> {};
// Maps the branch class where `If` holds: a branch_class, or a member or function that returns
// one. If there are several, the first whose condition holds is used; if none does, the record
// is not a branch.
template <auto Class, auto If = always> struct branch : word<role::branch, Class, If> {};
// Maps the outcome of a branch; by default every branch is taken.
template <auto Ask> struct taken : word<role::taken, Ask> {};
// Maps the target of a taken branch; by default the next record's ip.
template <auto Ask> struct target : word<role::target, Ask> {};
// Maps numbers of registers: an integer, or a member that is an array, whose zeros are left
// out. An integer of 0 is still an operand, unless `If` excludes it.
template <auto Ask, auto If = always> struct destination_registers
    : word<role::destination_registers, Ask, If> {};
template <auto Ask, auto If = always> struct source_registers
    : word<role::source_registers, Ask, If> {};
// Maps addresses of memory operands, by the rules for registers.
template <auto Ask, auto If = always> struct destination_memory
    : word<role::destination_memory, Ask, If> {};
template <auto Ask, auto If = always> struct source_memory : word<role::source_memory, Ask, If> {};

}  // namespace tracecodec::feed::map
