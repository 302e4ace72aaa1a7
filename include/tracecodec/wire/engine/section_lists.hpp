// Properties of lists of bound sections: the last section, sections after which nothing can follow,
// and computed items that are always correct.
#pragma once
#include <type_traits>

#include "section.hpp"

namespace tracecodec::wire::detail {

template <class... X> struct bound_sections;

// Concatenation of two lists of sections.
template <class A, class B> struct appended;
template <class... A, class... B> struct appended<bound_sections<A...>, bound_sections<B...>> {
  using type = bound_sections<A..., B...>;
};
// Last of several sections, and the sections before it.
template <class Before, class... X> struct last_section {
  using before = Before;
  struct item {};
};
template <class... Before, class Last> struct last_section<bound_sections<Before...>, Last> {
  using before = bound_sections<Before...>;
  using last = Last;
};
template <class... Before, class First, class Second, class... X>
struct last_section<bound_sections<Before...>, First, Second, X...>
    : last_section<bound_sections<Before..., First>, Second, X...> {};
// True if a section is a choice. If the last section is a choice, encode treats each alternative as
// a separate record. Encoding then needs only one branch, as in handwritten code.
template <class Section>
concept chooses = requires {
  requires Section::only_item::is_choice;
};

// Compile error for an item that consumes all remaining bytes although more items follow. Compilers
// print the template argument, which contains the member's name.
template <class Name> consteval bool this_member_takes_all_remaining_bytes() {
  static_assert(
      never<Name>,
      "nothing can follow an item that extends to the end (rest<>, skip_rest, list<> with "
      "to_end; after if_left<> only another one): put it last or into a sized<> part");
  return true;
}
// True if a section consists of a single if_left<>. Another optional part may follow such a
// section.
template <class Section>
concept may_be_left_out = requires {
  requires Section::only_item::may_be_left_out;
};
// Returns true if no item with bytes follows the item that consumes all remaining bytes. Several
// if_left<> items may follow one another.
consteval bool greedy_is_last(type_list<>) { return true; }
template <class First, class... Rest> consteval bool greedy_is_last(type_list<First, Rest...>) {
  if constexpr (may_be_left_out<First> &&
                ((Rest::greedy || (Rest::fixed && Rest::size == 0)) && ...))
    return greedy_is_last(type_list<Rest...>{});
  else if constexpr (First::greedy && ((!Rest::fixed || Rest::size != 0) || ...))
    return this_member_takes_all_remaining_bytes<quoted_t<label_of<typename First::only_item>>>();
  else
    return greedy_is_last(type_list<Rest...>{});
}

// Returns true if reading the sections `X` guarantees that the computed item `C` is correct.
template <class C, class... X> consteval bool is_implied_in() {
  return !C::conditional && (X::template implies<C>() || ...);
}
// Computed items in `List`. Items that the sections `X` guarantee to be correct are marked as
// implied<>, because decode need not compare them.
template <class List, class... X> struct implied_in;
template <class... C, class... X> struct implied_in<type_list<C...>, X...> {
  using type = type_list<std::conditional_t<is_implied_in<C, X...>(), implied<C>, C>...>;
};

}  // namespace tracecodec::wire::detail
