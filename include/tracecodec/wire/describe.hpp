// Descriptions of records, and their binding to a policy. A description is either a plain struct or
// an explicit list of items. The compiler checks that a list is complete.
#pragma once
#include <array>
#include <type_traits>
#include <utility>

#include "engine/ends.hpp"
#include "engine/split.hpp"
#include "engine/struct_checks.hpp"

namespace tracecodec::wire {

namespace detail {
template <class Item> consteval bool this_is_not_an_item_of_a_description() {
  static_assert(never<Item>,
                "the items of fields<> are field<&S::m>, counted<&S::view, count>, bit_slices<T, "
                "bits<&S::m, n>...> and so on: a codec is field<&S::m, codec>, and bits<> belong "
                "into bit_slices<>");
  return true;
}
template <class Item> consteval bool is_item() {
  if constexpr (requires { Item::mentions(std::string_view()); })
    return true;
  else
    return this_is_not_an_item_of_a_description<Item>();
}
}  // namespace detail

// Explicit description of a struct: a list of items, or a list of section<>s. Every member of the
// struct must appear exactly once. A member without bytes must appear as not_on_wire. If these
// conditions are not met, compilation fails.
template <class... Items> struct fields {
  static_assert((detail::is_item<Items>() && ...));
  using owner = detail::first_owner<typename Items::owner...>;
  static_assert(!std::is_void_v<owner>,
                "a description needs an item that has a member, such as field<&S::m>: literal<>, "
                "padding<> and the like belong to no struct");
};

namespace detail {
// Struct described by `What`. This struct is the value type of the record.
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

// Section of a plain struct that is described without a list of items. Boost.PFR supplies the
// members, and the policy supplies their wire types and placement.
template <class S, class Policy, class> struct plain_section;
template <class S, class Policy, std::size_t... I>
struct plain_section<S, Policy, std::index_sequence<I...>> {
  using type = bound_section<Policy::place,
                             bound_field<by_index<S, I>, infer_t<member_type<S, I>, Policy>>...>;
};
template <class What, class Policy> struct described {
  using value_type = What;
  using first =
      typename plain_section<What, Policy, std::make_index_sequence<member_count<What>>>::type;
  using sections = bound_sections<first>;
  static constexpr bool fixed = true;
  static constexpr std::size_t parameters = 0;
  using carried = type_list<>;
};

// A struct that cannot be described: one error, and no others that follow from it.
template <class What, class Policy>
requires(obstacle_of<typename value_described<What>::type> !=
         obstacle::none) struct described<What, Policy> {
  using value_type = typename value_described<What>::type;
  static_assert(this_struct_cannot_be_described<value_type, obstacle_of<value_type>>());
  using first = bound_section<placement::packed, padding<0>>;
  using sections = bound_sections<first>;
  static constexpr bool fixed = true;
  static constexpr std::size_t parameters = 0;
  using carried = type_list<>;
};

// Smallest and largest number of times that the description mentions a member of the struct.
struct mention_range {
  int least, most;
  // Indices of the members with the fewest and the most mentions.
  std::size_t least_at = 0, most_at = 0;
};
template <class Name> consteval bool this_member_is_not_described() {
  static_assert(never<Name>,
                "a member of the struct is not described: add a field, or name it in not_on_wire");
  return true;
}
template <class Name> consteval bool this_member_is_described_twice() {
  static_assert(never<Name>, "a member of the struct is described more than once");
  return true;
}
// Returns true if each member is described exactly once. If not, a compile error names the member.
template <class S, mention_range R> consteval bool complete() {
  if constexpr (R.least < 1)
    return this_member_is_not_described<quoted_t<name_at<S, R.least_at>>>();
  else if constexpr (R.most > 1)
    return this_member_is_described_twice<quoted_t<name_at<S, R.most_at>>>();
  else
    return true;
}
// Returns the number of times that `Item` mentions each member of the struct.
template <class S, class Item, std::size_t... I>
consteval std::array<int, sizeof...(I)> times_mentioned(std::index_sequence<I...>) {
  if constexpr (requires { Item::member_index; }) {
    std::array<int, sizeof...(I)> once{};
    once[Item::member_index] = 1;
    return once;
  } else {
    return {Item::mentions(member_name<S, I>)...};
  }
}
template <class S, class... Items, std::size_t... I>
consteval mention_range mentions(std::index_sequence<I...> members) {
  std::array<int, sizeof...(I)> times{};
  const auto add = [&times](const std::array<int, sizeof...(I)>& item) {
    for (std::size_t i = 0; i < times.size(); ++i) times[i] += item[i];
  };
  (add(times_mentioned<S, Items>(members)), ...);
  mention_range r{1, 1};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < r.least) r.least = times[i], r.least_at = i;
    if (times[i] > r.most) r.most = times[i], r.most_at = i;
  }
  return r;
}

// True if an item may contain parameters.
template <class Item>
inline constexpr bool may_have_parameters = requires(std::string_view member) {
  Item::is_parameter(member);
};
template <class... Items> consteval bool is_parameter_of_any(std::string_view member) {
  return (detail::is_parameter<Items>(member) || ...);
}
// Returns the number of members that are parameters.
template <class S, class... Items, std::size_t... I>
consteval std::size_t count_parameters(std::index_sequence<I...>) {
  if constexpr ((may_have_parameters<Items> || ...))
    return ((is_parameter_of_any<Items...>(member_name<S, I>) ? 1U : 0U) + ... + std::size_t{});
  else
    return 0;
}

// Compile error about a carried member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_is_carried_in_a_record_of_fixed_size() {
  static_assert(never<Name>,
                "previous<> needs an item that depends on it, such as delta<>, a count or a "
                "condition: a record of fixed size is read without the record before it");
  return true;
}
template <bool Fixed> consteval bool carried_items_are_good(type_list<>) { return true; }
template <bool Fixed, class First, class... Rest>
consteval bool carried_items_are_good(type_list<First, Rest...>) {
  if constexpr (Fixed)
    return this_member_is_carried_in_a_record_of_fixed_size<
        quoted_t<label_of<pointed<First::member>>>>();
  else
    return true;
}
// Parameters that are carried from record to record (previous<>), among the items and in parts.
template <class Item> struct carried_in : carried_by<Item> {};
template <class... Items> struct carried_in<type_list<Items...>>
    : joined<type_list<>, typename carried_in<Items>::type...> {};
template <class Item>
requires(
    requires { typename Item::items; } &&
    !requires { typename Item::carried; }) struct carried_in<Item>
    : carried_in<typename Item::items> {
};

template <class S, class Policy, class... Items> struct sectioned {
  using list = typename split_any<Policy, Items...>::type;
  static_assert(in_order<S, Policy, section_list<>>(list{}));
  static_assert(!several<list> || Policy::place == placement::packed,
                "natural placement needs a record of fixed size, that is of one section");
  using sections = typename bind_sections<list, Policy>::type;
};

template <class... Items, class Policy>
requires(obstacle_of<typename fields<Items...>::owner> ==
         obstacle::none) struct described<fields<Items...>, Policy> {
  using value_type = typename fields<Items...>::owner;
  static_assert(owners_agree<value_type>(type_list<Items...>{}));
  static constexpr mention_range mentioned =
      mentions<value_type, Items...>(std::make_index_sequence<member_count<value_type>>{});
  static_assert(complete<value_type, mentioned>());
  using sections = typename sectioned<value_type, Policy, Items...>::sections;
  static_assert(
      computed_items_are_good<value_type, type_list<Items...>>(typename sections::computed{}));
  using first = typename list_front<sections>::type;
  static constexpr bool fixed = list_front<sections>::fixed;
  static constexpr std::size_t parameters =
      count_parameters<value_type, Items...>(std::make_index_sequence<member_count<value_type>>{});
  using carried = typename carried_in<type_list<Items...>>::type;
  static_assert(carried_items_are_good<fixed>(carried{}));
};
}  // namespace detail

}  // namespace tracecodec::wire
