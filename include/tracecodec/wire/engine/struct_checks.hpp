// Compile-time checks of a struct: whether Boost.PFR can list its members, and decode can set them.
#pragma once
#include <type_traits>

#include "../items/items.hpp"
#include "../members.hpp"

namespace tracecodec::wire::detail {

// Reason why a struct cannot be described.
enum class obstacle : std::uint8_t {
  none,
  union_type,
  an_item,
  not_an_aggregate,
  base_class,
  too_many_members,
  no_members,
  c_array,
  bit_fields,
  constant_members
};

// Reason why `S` cannot be described, or none. (Each test needs the tests before it to pass.)
template <class S> inline constexpr obstacle obstacle_of = [] {
  auto found = obstacle::none;
  if constexpr (std::is_union_v<S>)
    found = obstacle::union_type;
  else if constexpr (requires { S::mentions(std::string_view()); })
    found = obstacle::an_item;
  else if constexpr (!std::is_aggregate_v<S>)
    found = obstacle::not_an_aggregate;
  else if constexpr (has_base_class<S>())
    found = obstacle::base_class;
  else if constexpr (member_count<S> > most_members)
    found = obstacle::too_many_members;
  else if constexpr (member_count<S> == 0)
    found = obstacle::no_members;
  else if constexpr (c_array_in<S>() != member_count<S>)
    found = obstacle::c_array;
  else if constexpr (has_bit_fields<S>())
    found = obstacle::bit_fields;
  else if constexpr (!std::is_move_assignable_v<S>)
    found = obstacle::constant_members;
  return found;
}();

// Compile error that names the struct `S`.
template <class S, obstacle Why> consteval bool this_struct_cannot_be_described() {
  static_assert(Why != obstacle::union_type,
                "a union cannot be described: which of its members is active is unknown; make it a "
                "struct, and describe the alternatives with choice<>");
  static_assert(Why != obstacle::an_item,
                "put the items of a record into fields<...>: "
                "record<fields<field<&S::m>, ...>>");
  static_assert(Why != obstacle::not_an_aggregate,
                "a described struct has only public members and no constructors: describe a plain "
                "struct, and convert it to your class");
  static_assert(Why != obstacle::base_class,
                "a described struct has no base class: make the base a member, and describe it as "
                "a nested record");
  static_assert(Why != obstacle::too_many_members,
                "a struct has at most 100 members, which Boost.PFR can list: group some of them in "
                "a nested struct");
  static_assert(Why != obstacle::no_members,
                "a struct without members or a codec of varying size cannot be a field");
  static_assert(Why != obstacle::c_array,
                "a member is a C array, which cannot be described: std::array can");
  static_assert(Why != obstacle::bit_fields,
                "a described struct has no bit-fields, because compilers place them differently: "
                "make them plain members, and list them in bit_slices<T, bits<&S::m, width>...>");
  static_assert(Why != obstacle::constant_members,
                "decode assigns the members: a described struct has no const members and no "
                "references; for a constant value, use constant<&S::m, value>");
  return true;
}

}  // namespace tracecodec::wire::detail
