// Divides a list of items into bound sections. Each variable-length item forms a separate section.
// The items between two variable-length items are read together.
#pragma once
#include <type_traits>

#include "sections.hpp"
#include "variable_section.hpp"

namespace tracecodec::wire::detail {

// True if `Item` has a variable length under a record's policy.
template <class Policy, class Item> inline constexpr bool is_variable_length_item =
    is_variable_length<typename Item::template bind<Policy>>;

// Relation of item `Next` to the current section, whose items are `Open`:
// - open: `Next` joins the current section.
// - alone: `Next` forms a separate section, because its length is variable.
// - anew: `Next` begins a new section, because it depends on a member that `Open` reads.
enum class joins : std::uint8_t { open, alone, anew };
template <class Policy, bool Free, class Open, class Next> consteval joins how_it_joins() {
  if constexpr (is_variable_length_item<Policy, Next>)
    return joins::alone;
  else if constexpr (Free && item_depends_on<Next, Open>())
    return joins::anew;
  else
    return joins::open;
}

// State of the division of a list: the finished sections `Done`, the items `Open` of the current
// section, and the remaining items. `Free` is true if an item may begin a new section because of a
// dependency.
template <class Policy, bool Free, class Done, class Open, class... Rest> struct split_items;
template <class Policy, bool Free, joins How, class Done, class Open, class Next, class... Rest>
struct split_next;

template <class Policy, bool Free, class... Done>
struct split_items<Policy, Free, section_list<Done...>, section<>> {
  using type = section_list<Done...>;
};
template <class Policy, bool Free, class... Done, class Open, class... More>
struct split_items<Policy, Free, section_list<Done...>, section<Open, More...>> {
  using type = section_list<Done..., section<Open, More...>>;
};
template <class Policy, bool Free, class Done, class Open, class Next, class... Rest>
struct split_items<Policy, Free, Done, Open, Next, Rest...>
    : split_next<Policy, Free, how_it_joins<Policy, Free, Open, Next>(), Done, Open, Next,
                 Rest...> {};
// Item that stands for several items. They are read as if the description listed them instead.
template <class Item>
concept stands_for_items = requires {
  typename Item::stands_for;
};
template <class Policy, bool Free, class Done, class Open, class List, class... Rest>
struct split_listed;
template <class Policy, bool Free, class Done, class Open, class... Items, class... Rest>
struct split_listed<Policy, Free, Done, Open, type_list<Items...>, Rest...>
    : split_items<Policy, Free, Done, Open, Items..., Rest...> {};
template <class Policy, bool Free, class Done, class Open, class Next, class... Rest>
requires stands_for_items<Next>
struct split_items<Policy, Free, Done, Open, Next, Rest...>
    : split_listed<Policy, Free, Done, Open, typename Next::stands_for, Rest...> {
};
template <class Policy, bool Free, joins How, class... Done, class Open, class... More, class Next,
          class... Rest>
struct split_next<Policy, Free, How, section_list<Done...>, section<Open, More...>, Next, Rest...>
    : split_items<Policy, Free, section_list<Done..., section<Open, More...>>, section<>, Next,
                  Rest...> {};
template <class Policy, bool Free, class... Done, class Open, class... More, class Next,
          class... Rest>
struct split_next<Policy, Free, joins::open, section_list<Done...>, section<Open, More...>, Next,
                  Rest...>
    : split_items<Policy, Free, section_list<Done...>, section<Open, More..., Next>, Rest...> {};
template <class Policy, bool Free, joins How, class... Done, class Next, class... Rest>
struct split_next<Policy, Free, How, section_list<Done...>, section<>, Next, Rest...>
    : split_items<Policy, Free, section_list<Done...>, section<Next>, Rest...> {};
template <class Policy, bool Free, class... Done, class Next, class... Rest>
struct split_next<Policy, Free, joins::alone, section_list<Done...>, section<>, Next, Rest...>
    : split_items<Policy, Free, section_list<Done..., section<Next>>, section<>, Rest...> {};

template <class Policy, class Section> struct split_section;
template <class Policy, class... Items> struct split_section<Policy, section<Items...>> {
  using type =
      typename std::conditional_t<(is_variable_length_item<Policy, Items> || ...),
                                  split_items<Policy, false, section_list<>, section<>, Items...>,
                                  std::type_identity<section_list<section<Items...>>>>::type;
};
template <class... L> struct joined_sections;
template <class... A> struct joined_sections<section_list<A...>> {
  using type = section_list<A...>;
};
template <class... A, class... B, class... Rest>
struct joined_sections<section_list<A...>, section_list<B...>, Rest...>
    : joined_sections<section_list<A..., B...>, Rest...> {};

template <class List> inline constexpr bool several = false;
template <class A, class B, class... Rest>
inline constexpr bool several<section_list<A, B, Rest...>> = true;

template <class Policy, class... Sections> using split_t =
    typename joined_sections<typename split_section<Policy, Sections>::type...>::type;

// Sections of a record. If the description lists items instead of sections, the items are first
// grouped into sections.
template <class Policy, class... Items> struct split_any {
  static_assert((is_section<Items> && ...) || !(is_section<Items> || ...),
                "group all items in sections, or none");
  using type = typename std::conditional_t<
      (Items::template bind<Policy>::fixed && ...),
      std::type_identity<section_list<section<Items...>>>,
      split_items<Policy, true, section_list<>, section<>, Items...>>::type;
};
template <class Policy, class... Items>
requires(sizeof...(Items) != 0 && (is_section<Items> && ...)) struct split_any<Policy, Items...> {
  using type = split_t<Policy, Items...>;
};

template <class Policy, class... Items> struct bind_items {
  using type = bound_section<Policy::place, typename Items::template bind<Policy>...>;
};
template <class Policy, class Item>
requires is_variable_length_item<Policy, Item>
struct bind_items<Policy, Item> {
  using type = variable_section<typename Item::template bind<Policy>>;
};
template <class Section, class Policy> struct bind_section;
template <class... Items, class Policy> struct bind_section<section<Items...>, Policy>
    : bind_items<Policy, Items...> {};

template <class List, class Policy> struct bind_sections;
template <class... Sections, class Policy> struct bind_sections<section_list<Sections...>, Policy> {
  using type = bound_sections<typename bind_section<Sections, Policy>::type...>;
};

// Bound sections of the items inside a part, such as sized<> or choice<>.
template <class Policy, class... Items> using parts_t =
    typename bind_sections<typename split_any<Policy, Items...>::type, Policy>::type;

// Returns true if the counts and conditions of a section depend only on members of earlier
// sections. in_order() performs this check for every section of a record.
template <class Place, class... Items>
consteval bool section_depends_on_earlier(std::type_identity<section<Items...>>) {
  return (detail::depends_on_earlier<Items, Place>() && ...);
}
template <class S, class Policy, class Earlier> consteval bool in_order(section_list<>) {
  return true;
}
template <class S, class Policy, class Earlier, class Next, class... Later>
consteval bool in_order(section_list<Next, Later...>);
template <class S, class Policy, class... Earlier, class Next, class... Later>
consteval bool in_order_after(section_list<Earlier...>, section_list<Next, Later...>) {
  using here = place<S, Policy, section_list<Earlier...>, section_list<Next, Later...>>;
  return section_depends_on_earlier<here>(std::type_identity<Next>{}) &&
         in_order<S, Policy, section_list<Earlier..., Next>>(section_list<Later...>{});
}
template <class S, class Policy, class Earlier, class Next, class... Later>
consteval bool in_order(section_list<Next, Later...> all) {
  return in_order_after<S, Policy>(Earlier{}, all);
}

// Check of the order of the `Items` inside a part. Their counts and conditions may depend only on
// members that are read earlier. The part is a section at `Place`.
template <class Place, class... Items> struct parts_in_order;
template <class S, class Policy, class... Earlier, class Self, class... Later, class... Items>
struct parts_in_order<place<S, Policy, section_list<Earlier...>, section_list<Self, Later...>>,
                      Items...> {
  template <class... Before, class Next, class... Rest>
  static consteval bool walk(section_list<Before...>, section_list<Next, Rest...>) {
    using here = place<S, Policy, section_list<Before...>, section_list<Next, Rest..., Later...>>;
    return section_depends_on_earlier<here>(std::type_identity<Next>{}) &&
           walk(section_list<Before..., Next>{}, section_list<Rest...>{});
  }
  template <class... Before> static consteval bool walk(section_list<Before...>, section_list<>) {
    return true;
  }
  static constexpr bool value =
      walk(section_list<Earlier...>{}, typename split_any<Policy, Items...>::type{});
};

}  // namespace tracecodec::wire::detail
