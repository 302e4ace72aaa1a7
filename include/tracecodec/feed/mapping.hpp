// Mapping from a record's members to the properties of an instruction. `Ask` is a pointer to a
// member, or anything that can be called with the record.
#pragma once
#include <cstdint>
#include <type_traits>

#include "../wire/text.hpp"
#include "instruction.hpp"

namespace tracecodec::feed::map {

// Condition that is true if member `M` has one of the values `Values`.
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

// Property of an instruction that a word maps.
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

// Mapping of the instruction's ip. Every feed needs it.
template <auto Ask> struct ip : word<role::ip, Ask> {};
// Mapping of the address space or thread, which is 0 by default.
template <auto Ask> struct asid : word<role::asid, Ask> {};
// Mapping of the branch class for records for which `If` is true. `Class` is a branch_class, or a
// member or function that returns one. If there are several such mappings, the first one whose
// condition is true is used. If no condition is true, the record is not a branch.
template <auto Class, auto If = always> struct branch : word<role::branch, Class, If> {};
// Mapping of the outcome of a branch. By default, every branch is taken.
template <auto Ask> struct taken : word<role::taken, Ask> {};
// Mapping of the target of a taken branch. By default, the target is the next record's ip.
template <auto Ask> struct target : word<role::target, Ask> {};
// Mapping of register numbers. `Ask` is an integer, or a member that is an array, whose zeros are
// omitted. An integer that is 0 is still an operand unless `If` excludes it.
template <auto Ask, auto If = always> struct destination_registers
    : word<role::destination_registers, Ask, If> {};
template <auto Ask, auto If = always> struct source_registers
    : word<role::source_registers, Ask, If> {};
// Mapping of the addresses of memory operands. The rules for registers apply.
template <auto Ask, auto If = always> struct destination_memory
    : word<role::destination_memory, Ask, If> {};
template <auto Ask, auto If = always> struct source_memory : word<role::source_memory, Ask, If> {};

}  // namespace tracecodec::feed::map
