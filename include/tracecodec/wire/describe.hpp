// Descriptions bound to a policy: either the members of a plain struct, or an explicit list
// that is checked to be complete.
#pragma once
#include <type_traits>
#include <utility>

#include "engine/split.hpp"

namespace tracecodec::wire {

// Explicit description of a struct: a list of items, or a list of section<>s. Every member of
// the struct must appear exactly once, as not_on_wire if it has no bytes. Otherwise
// compilation fails.
template <class... Items> struct fields {
  using owner = detail::first_owner<typename Items::owner...>;
};

namespace detail {
// Struct that a description is for, and therefore the value type of its record.
template <class What> struct value_described { using type = What; };
template <class... Items> struct value_described<fields<Items...>> {
  using type = typename fields<Items...>::owner;
};
template <class What, order O, placement P, target T> struct value_of<record<What, O, P, T>>
    : value_described<What> {};

template <class... X> struct list_front;
template <class First, class... Rest> struct list_front<bound_sections<First, Rest...>> {
  using type = First;
  static constexpr bool fixed = sizeof...(Rest) == 0 && First::fixed;
};

// Shorthand description: Boost.PFR supplies the members, and the policy supplies their wire types
// and placement.
template <class S, class Policy, class> struct plain_section;
template <class S, class Policy, std::size_t... I>
struct plain_section<S, Policy, std::index_sequence<I...>> {
  using type = bound_section<Policy::place,
                             bound_field<by_index<S, I>, infer_t<member_type<S, I>, Policy>>...>;
};
template <class What, class Policy> struct described {
  static_assert(std::is_aggregate_v<What>,
                "describe a plain struct, or list its fields in fields<...>");
  static_assert(member_count<What> != 0,
                "a struct without members or a codec of varying size cannot be a field");
  static_assert(c_array_in<What>() == member_count<What>,
                "a member is a C array, which cannot be described: std::array can");
  using value_type = What;
  using first =
      typename plain_section<What, Policy, std::make_index_sequence<member_count<What>>>::type;
  using sections = bound_sections<first>;
  static constexpr bool fixed = true;
};

// Smallest and largest number of times that any member of a struct is described.
struct mention_range {
  int least, most;
  // Indices of these two members in the struct.
  std::size_t least_at = 0, most_at = 0;
};
template <class Name> struct this_member_is_not_described {
  static_assert(never<Name>,
                "a member of the struct is not described: add a field, or name it in not_on_wire");
  static constexpr bool described = true;
};
template <class Name> struct this_member_is_described_twice {
  static_assert(never<Name>, "a member of the struct is described more than once");
  static constexpr bool good = true;
};
// Returns true if each member is described exactly once. Otherwise compilation fails with an error
// that names the member.
template <class S, mention_range R> consteval bool complete() {
  if constexpr (R.least < 1)
    return this_member_is_not_described<quoted_t<name_at<S, R.least_at>>>::described;
  else if constexpr (R.most > 1)
    return this_member_is_described_twice<quoted_t<name_at<S, R.most_at>>>::good;
  else
    return true;
}
template <class... Items> consteval int times_mentioned(std::string_view member) {
  return (Items::mentions(member) + ...);
}
template <class S, class... Items, std::size_t... I>
consteval mention_range mentions(std::index_sequence<I...>) {
  mention_range r{1, 1};
  const auto count = [&r](std::size_t i, int n) {
    if (n < r.least) r.least = n, r.least_at = i;
    if (n > r.most) r.most = n, r.most_at = i;
  };
  (count(I, times_mentioned<Items...>(member_name<S, I>)), ...);
  return r;
}

template <class S, class Policy, class... Items> struct sectioned {
  using list = typename split_any<Policy, Items...>::type;
  static_assert(
      in_order<S, Policy, section_list<>>(list{}),
      "a count or a condition must be read in an earlier section than what depends on it");
  static_assert(!several<list> || Policy::place == placement::packed,
                "natural placement needs a record of fixed size, that is of one section");
  using sections = typename bind_sections<list, Policy>::type;
};

template <class... Items, class Policy> struct described<fields<Items...>, Policy> {
  using value_type = typename fields<Items...>::owner;
  static constexpr mention_range mentioned =
      mentions<value_type, Items...>(std::make_index_sequence<member_count<value_type>>{});
  static_assert(complete<value_type, mentioned>());
  using sections = typename sectioned<value_type, Policy, Items...>::sections;
  using first = typename list_front<sections>::type;
  static constexpr bool fixed = list_front<sections>::fixed;
};
}  // namespace detail

}  // namespace tracecodec::wire
