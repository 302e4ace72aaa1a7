// Compile-time checks of computed items. The members and parts to which extent_of<> and
// over<> refer must belong to the same record, and be in wire order.
#pragma once
#include <string_view>
#include <type_traits>

#include "../items/items.hpp"
#include "../items/ranges.hpp"

namespace tracecodec::wire::detail {

// Positions of a member among the items of a record, in wire order. Items inside parts also count.
// A member has several positions if several alternatives of a choice contain it.
struct wire_positions {
  std::size_t items = 0;
  std::size_t first = static_cast<std::size_t>(-1), last = 0;
  constexpr bool found() const noexcept { return first <= last; }
};
template <class... Items>
consteval void find_member(type_list<Items...>, std::string_view member, wire_positions& p);
template <class Item> consteval void find_member_in(std::string_view member, wire_positions& p) {
  if constexpr (requires { typename Item::items; }) {
    find_member(typename Item::items{}, member, p);
  } else {
    if (detail::loads<Item>(member) != 0) {
      if (!p.found()) p.first = p.items;
      p.last = p.items;
    }
    ++p.items;
  }
}
template <class... Items> consteval void find_member(type_list<Items...>,
                                                     [[maybe_unused]] std::string_view member,
                                                     [[maybe_unused]] wire_positions& p) {
  (find_member_in<Items>(member, p), ...);
}
template <class Items> consteval wire_positions positions_of(std::string_view member) {
  wire_positions p{};
  find_member(Items{}, member, p);
  return p;
}

// Returns true if one of the items, or an item nested in a part, is sized<Size, ...>.
template <auto Size, class... Items> consteval bool has_part(type_list<Items...>);
template <auto Size, class Item> consteval bool is_or_has_part() {
  bool found = false;
  if constexpr (requires { typename Item::sized_by; })
    found = std::is_same_v<typename Item::sized_by, constant_type<Size>>;
  if constexpr (requires { typename Item::items; })
    found = found || has_part<Size>(typename Item::items{});
  return found;
}
template <auto Size, class... Items> consteval bool has_part(type_list<Items...>) {
  return (is_or_has_part<Size, Items>() || ...);
}

// Compile errors about computed items. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_has_no_bytes_in_the_record() {
  static_assert(never<Name>,
                "size_of<>, extent_of<> and over<> need members that the same record describes: "
                "name a member of this struct that has a field");
  return true;
}
template <class Name> consteval bool this_member_comes_too_late() {
  static_assert(never<Name>,
                "extent_of<first, last> and over<sum, first, last> need the first end before the "
                "last; `here` is the computed member, and the record starts before everything");
  return true;
}
template <class Name> consteval bool this_computed_member_has_no_part() {
  static_assert(never<Name>,
                "sized_by<&S::n> is the part sized<&S::n, items...>, which the record lacks: add "
                "the part, or name the first and the last member");
  return true;
}

// Name of the first member that `Item` mentions, for quoted_t.
template <class Item, class Indices> struct mentioned_by;
template <class Item, std::size_t... I> struct mentioned_by<Item, std::index_sequence<I...>> {
  static constexpr text value = [] {
    text name{};
    static_cast<void>(((Item::mentions(member_name<typename Item::owner, I>) != 0 &&
                        (name = member_name<typename Item::owner, I>, true)) ||
                       ...));
    return name;
  }();
};
template <class Owner, class Name, class S> consteval bool this_item_belongs_to_another_struct() {
  static_assert(never<Owner, Name, S>, "all items of a description are members of one struct");
  return true;
}
// Returns true if all items of the record are members of `S`. Otherwise compilation fails.
template <class S, class... Items> consteval bool owners_agree(type_list<Items...>);
template <class S, class Item> consteval bool owner_agrees() {
  if constexpr (requires { typename Item::items; })
    return owners_agree<S>(typename Item::items{});
  else if constexpr (std::is_void_v<typename Item::owner> ||
                     std::is_same_v<typename Item::owner, S>)
    return true;
  else
    return this_item_belongs_to_another_struct<
        typename Item::owner,
        quoted_t<mentioned_by<Item, std::make_index_sequence<member_count<typename Item::owner>>>>,
        S>();
}
template <class S, class... Items> consteval bool owners_agree(type_list<Items...>) {
  return (owner_agrees<S, Items>() && ...);
}

template <class S, class Items, auto End> consteval bool end_is_good() {
  if constexpr (!std::is_member_object_pointer_v<decltype(End)>)
    return true;
  else if constexpr (std::is_same_v<owner_t<End>, S> && positions_of<Items>(name_of<End>).found())
    return true;
  else
    return this_member_has_no_bytes_in_the_record<quoted_t<label_of<pointed<End>>>>();
}
// Returns the positions of an end of a range. The computed member is named `here`.
template <class Items, auto End> consteval wire_positions positions_of_end(std::string_view here) {
  if constexpr (std::is_member_object_pointer_v<decltype(End)>) {
    return positions_of<Items>(name_of<End>);
  } else {
    wire_positions all{};
    all.first = all.last = 0;
    if (End == range_end::record_end) all.first = all.last = static_cast<std::size_t>(-1);
    return End == range_end::here ? positions_of<Items>(here) : all;
  }
}
// Name of the member at an end of a range, or of the computed member.
template <auto End, class C> struct end_label {
  static constexpr std::string_view label = label_or<End>(C::label);
};
template <class S, class Items, class C, auto First, auto Last> consteval bool ends_are_in_order() {
  if constexpr (!end_is_good<S, Items, First>() || !end_is_good<S, Items, Last>())
    return true;
  else if constexpr (positions_of_end<Items, First>(C::label).first >
                     positions_of_end<Items, Last>(C::label).last)
    return this_member_comes_too_late<quoted_t<label_of<end_label<First, C>>>>();
  else
    return true;
}

template <class Name, class S> consteval bool this_function_computes_no_integer() {
  static_assert(never<Name>,
                "a member is computed by a member function of S, or by a callable that accepts a "
                "const S&, which returns an integer");
  return true;
}

// Returns true if the computed item `C` refers only to members and parts of its own record, and its
// function returns an integer. The record has the value type `S` and consists of `Items`. Otherwise
// a compile error names the member.
template <class S, class Items, class C> consteval bool refers_to_the_record() {
  using how = typename C::how;
  if constexpr (requires { how::size_of_part; }) {
    if constexpr (has_part<how::size_of_part>(Items{}))
      return true;
    else
      return this_computed_member_has_no_part<quoted_t<label_of<C>>>();
  } else if constexpr (requires { how::counted; })
    return end_is_good<S, Items, how::counted>();
  else if constexpr (requires { how::first_end; })
    return ends_are_in_order<S, Items, C, how::first_end, how::last_end>();
  else if constexpr (how::of_members && !C::template is_computed_from<S>())
    return this_function_computes_no_integer<quoted_t<label_of<C>>, S>();
  else
    return true;
}
template <class S, class Items, class... C>
consteval bool computed_items_are_good(type_list<C...>) {
  return (refers_to_the_record<S, Items, C>() && ...);
}

}  // namespace tracecodec::wire::detail
