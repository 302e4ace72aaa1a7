// Description that states only what is special. All other members are plain fields, in the order of
// the struct.
#pragma once
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "describe.hpp"
#include "rules/sized.hpp"

namespace tracecodec::wire {

namespace detail {
template <class... Items> struct this_at_is_not_an_item_of_in_struct_order {
  static_assert(never<Items...>,
                "at<items...> is for in_struct_order<S, items...>: other lists of items, such as "
                "fields<> and when<>, contain its items without at<>");
  static constexpr bool fixed = true;
};
}  // namespace detail

// Items that stand together in in_struct_order<>, at the place of the first member that they
// mention. An item without a member, such as literal<> or padding<>, gets its place in this way.
template <class... Items> struct at : detail::with_parts<Items...> {
  template <class> using bind = detail::this_at_is_not_an_item_of_in_struct_order<Items...>;
};

namespace detail {
// Member `I` of `S` as a field of the wire type that follows from its type.
template <class S, std::size_t I> struct plain_member {
  using owner = S;
  static constexpr std::size_t member_index = I;
  template <class Policy> using bind =
      typename field_of<by_index<S, I>, infer_t<member_type<S, I>, Policy>>::type;
  static consteval int mentions(std::string_view member) { return member == member_name<S, I>; }
};

// Number of times that an item mentions and reads each of the `Members` members of a struct.
template <std::size_t Members> struct mention_counts { std::array<int, Members> mentions, loads; };
template <class S, class Item, std::size_t... I>
consteval mention_counts<sizeof...(I)> count_mentions(std::index_sequence<I...> members) {
  return {times_mentioned<S, Item>(members), {detail::loads<Item>(member_name<S, I>)...}};
}

// Places of `Items` items among the `Members` members of a struct.
template <std::size_t Members, std::size_t Items> struct places_of_items {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  // Item that mentions a member, or `none` for a plain field.
  std::array<std::size_t, Members> item_of{};
  // First member that an item reads, or mentions if it reads none.
  std::array<std::size_t, Items> first{};
  // Number of plain fields.
  std::size_t plain = 0;
  // First member that is mentioned twice, and first one that an item reads out of order, or `none`.
  std::size_t twice = none, out_of_order = none;
};
template <std::size_t M, std::size_t N>
consteval places_of_items<M, N> find_places(const std::array<mention_counts<M>, N>& items) {
  places_of_items<M, N> p{};
  p.item_of.fill(p.none);
  p.first.fill(p.none);
  for (std::size_t i = 0; i < M; ++i) {
    int times = 0;
    for (std::size_t item = 0; item < N; ++item) {
      if (items[item].mentions[i] == 0) continue;
      times += items[item].mentions[i];
      p.item_of[i] = item;
      if (p.first[item] == p.none) p.first[item] = i;
    }
    if (times == 0) ++p.plain;
    if (times > 1 && p.twice == p.none) p.twice = i;
  }
  // Passes the members that have bytes. `open` is the item of the previous one, and the items below
  // `begun` must not begin again.
  std::size_t open = p.none, begun = 0;
  for (std::size_t i = 0; i < M; ++i) {
    const std::size_t item = p.item_of[i];
    if (item != p.none) {
      if (items[item].loads[i] == 0 || item == open) continue;
      if (item < begun && p.out_of_order == p.none) p.out_of_order = i;
      p.first[item] = i;
      begun = item + 1;
    }
    open = item;
  }
  return p;
}

// Element of a description: member `index` as a plain field, or item `index`.
struct slot {
  bool plain;
  std::size_t index;
};
// Returns the elements in wire order. `widths` holds the number of elements of each item, which is
// above one for at<>.
template <std::size_t Slots, std::size_t M, std::size_t N>
consteval std::array<slot, Slots> slots_of(const places_of_items<M, N>& p,
                                           const std::array<std::size_t, N>& widths) {
  std::array<std::size_t, N> begin{};
  for (std::size_t item = 1; item < N; ++item) begin[item] = begin[item - 1] + widths[item - 1];
  std::array<slot, Slots> slots{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < M; ++i) {
    const std::size_t item = p.item_of[i];
    if (item == p.none)
      slots[n++] = {true, i};
    else if (p.first[item] == i)
      for (std::size_t k = 0; k < widths[item]; ++k) slots[n++] = {false, begin[item] + k};
  }
  return slots;
}

// Compile errors about the items. Compilers print the template argument, which is the item or
// contains the member's name.
template <class Item> consteval bool this_item_mentions_no_member() {
  static_assert(never<Item>,
                "in_struct_order<S, items...> has no place for an item without a member, such as "
                "literal<> or padding<>: put it beside an item with a member, in at<items...>");
  return true;
}
template <class Name> consteval bool this_member_is_out_of_order() {
  static_assert(never<Name>,
                "in_struct_order<S, items...> lists items in the order of the struct, and the "
                "members of an item follow each other there: reorder the members or the items, or "
                "list all items in fields<...>");
  return true;
}
template <class Item> consteval bool mentions_a_member() {
  if constexpr (!std::is_void_v<typename Item::owner>)
    return true;
  else
    return this_item_mentions_no_member<Item>();
}
template <class S, const auto& Places> consteval bool places_are_good() {
  if constexpr (Places.twice != Places.none)
    return this_member_is_described_twice<quoted_t<name_at<S, Places.twice>>>();
  else if constexpr (Places.out_of_order != Places.none)
    return this_member_is_out_of_order<quoted_t<name_at<S, Places.out_of_order>>>();
  else
    return true;
}

template <class Item> struct spread { using type = type_list<Item>; };
template <class... Items> struct spread<at<Items...>> { using type = type_list<Items...>; };

template <class S, slot At, class Items> struct item_in { using type = plain_member<S, At.index>; };
template <class S, slot At, class... Items>
requires(!At.plain) struct item_in<S, At, type_list<Items...>> {
  using type = std::tuple_element_t<At.index, std::tuple<Items...>>;
};

// List of the fields of `S`, in wire order.
template <class S, class... Items> struct listed_in_order {
  static_assert(std::is_aggregate_v<S> && !std::is_empty_v<S>,
                "in_struct_order<S, items...> begins with a plain struct that has members");
  using members = std::make_index_sequence<member_count<S>>;
  static_assert((mentions_a_member<Items>() && ...));
  static_assert(owners_agree<S>(type_list<Items...>{}));
  static constexpr auto places =
      find_places(std::array<mention_counts<members::size()>, sizeof...(Items)>{
          count_mentions<S, Items>(members{})...});
  static_assert(places_are_good<S, places>());

  using items = typename joined<typename spread<Items>::type...>::type;
  static constexpr auto slots = slots_of<places.plain + how_many(items{})>(
      places,
      std::array<std::size_t, sizeof...(Items)>{how_many(typename spread<Items>::type{})...});
  template <std::size_t... I> static auto list(std::index_sequence<I...>)
      -> fields<typename item_in<S, slots[I], items>::type...>;
  using type = decltype(list(std::make_index_sequence<slots.size()>{}));
};
}  // namespace detail

// Description of `S` that states only what is special. The members are plain fields, in the order
// of the struct, except those that `Items` mention: an item stands at the place of the first member
// that it mentions. Items are listed in the order of the struct, too. If these conditions are not
// met, compilation fails.
//
//   struct packet { std::uint32_t time, size, flags; wire::array_view<wire::u8> data; };
//   using packet_codec = wire::record<wire::in_struct_order<
//       packet, wire::computed<&packet::size, wire::size_of<&packet::data>>,
//       wire::counted<&packet::data, &packet::size>>>;
template <class S, class... Items> using in_struct_order =
    typename detail::listed_in_order<S, Items...>::type;

}  // namespace tracecodec::wire
