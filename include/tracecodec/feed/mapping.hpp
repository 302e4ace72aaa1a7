// Mapping from a record's members to the properties of an instruction. `Expr` is a pointer to a
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

// Property of an instruction to which a mapping assigns a value.
enum class role : std::uint8_t {
  ip,
  asid,
  branch,
  taken,
  target,
  destination_registers,
  source_registers,
  destination_memory,
  source_memory,
  access_size,
  accesses,
  length,
  code,
  all_registers,
  only
};
template <role Role, auto Expr, auto If = always> struct word {
  static constexpr role what = Role;
  static constexpr auto expr = Expr;
  static constexpr auto condition = If;
};

// Selection of the records that are instructions: those for which the condition `If` is true, such as
// only<is<&record::kind, kind::instruction>>. By default, every record is an instruction. A feed with
// branches then needs map::target, because the next record may not be an instruction.
template <auto If> struct only : word<role::only, true, If> {};

// Mapping of the instruction's ip. Every feed needs this mapping.
template <auto Expr> struct ip : word<role::ip, Expr> {};
// Mapping of the address space or thread, which is 0 by default.
template <auto Expr> struct asid : word<role::asid, Expr> {};
// Mapping of the branch class, for records for which the condition `If` is true. `Class` is a
// branch_class, or a member or function that returns a branch_class. If there are several such
// mappings, the first mapping whose condition is true is used. If no condition is true, the record
// is not a branch.
template <auto Class, auto If = always> struct branch : word<role::branch, Class, If> {};
// Mapping of the outcome of a branch. By default, every branch is taken.
template <auto Expr> struct taken : word<role::taken, Expr> {};
// Mapping of the target of a taken branch. By default, the target is the next record's ip.
template <auto Expr> struct target : word<role::target, Expr> {};
// Mapping of register numbers. `Expr` is an integer or an array member. Zero elements of an array
// are omitted. An integer is an operand whenever `If` is true, even if its value is 0. A function can
// also return a range of operands, which contains no zeros and is empty by default.
template <auto Expr, auto If = always> struct destination_registers
    : word<role::destination_registers, Expr, If> {};
template <auto Expr, auto If = always> struct source_registers
    : word<role::source_registers, Expr, If> {};
// Mapping of the addresses of memory operands. The rules for registers also apply here.
template <auto Expr, auto If = always> struct destination_memory
    : word<role::destination_memory, Expr, If> {};
template <auto Expr, auto If = always> struct source_memory : word<role::source_memory, Expr, If> {
};
// Mapping of the size in bytes of each memory access, which for_each_access() reports. `Expr` is a
// member, a function of the record, or a number. By default, the size is 0, that is unknown.
template <auto Expr> struct access_size : word<role::access_size, Expr> {};
// Mapping of the bytes of the instruction's code: a function of the record that returns a
// std::span<const std::byte>. By default, the code is unknown.
template <auto Expr> struct code : word<role::code, Expr> {};

// Mapping of memory accesses whose sizes differ. `Expr` returns a range of accesses, which have the
// members address, size in bytes, and the flag write. It replaces the mappings of memory operands.
template <auto Expr> struct accesses : word<role::accesses, Expr> {};
// Mapping of the length of an instruction's code in bytes, or 0 if it is unknown.
template <auto Expr> struct length : word<role::length, Expr> {};

// Mapping of the values of all registers before the instruction: a pointer, which can be null
// (with_all_registers in values.hpp).
template <auto Expr> struct all_registers : word<role::all_registers, Expr> {};

}  // namespace tracecodec::feed::map
