// Which of a record's members are what an instruction has. `Ask` is a member, or anything that can be
// called with the record.
#pragma once
#include <cstdint>
#include <type_traits>

#include "../wire/text.hpp"
#include "instruction.hpp"

namespace tracecodec::feed::map {

// A condition: member `M` is one of these values.
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

// What a word maps to.
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

// Needed: the instruction's address.
template <auto Ask> struct ip : word<role::ip, Ask> {};
// The address space or thread; 0 if it is not said.
template <auto Ask> struct asid : word<role::asid, Ask> {};
// Its class: a branch_class, where `If` holds, or a member or function that gives one. Of several the
// first that holds counts; where none does, it is no branch.
template <auto Class, auto If = always> struct branch : word<role::branch, Class, If> {};
// Whether a branch was taken; if it is not said, each was.
template <auto Ask> struct taken : word<role::taken, Ask> {};
// Where a taken branch goes; if it is not said, to the next record's ip.
template <auto Ask> struct target : word<role::target, Ask> {};
// Numbers of registers: an integer, or an array, a member, of which zeros are left out. An integer that
// is 0 is an operand all the same: `If` says where it is none.
template <auto Ask, auto If = always> struct destination_registers
    : word<role::destination_registers, Ask, If> {};
template <auto Ask, auto If = always> struct source_registers
    : word<role::source_registers, Ask, If> {};
// Addresses, in the same way.
template <auto Ask, auto If = always> struct destination_memory
    : word<role::destination_memory, Ask, If> {};
template <auto Ask, auto If = always> struct source_memory : word<role::source_memory, Ask, If> {};

}  // namespace tracecodec::feed::map
