// Items whose byte order is stored in the record, or depends on an earlier record.
#pragma once
#include <type_traits>

#include "choice.hpp"

namespace tracecodec::wire {

namespace detail {
// Compile error about a byte order. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_is_not_a_byte_order() {
  static_assert(never<Name>,
                "in_byte_order<> needs a wire::order: a member of this type that has no bytes, or "
                "a function that returns it, such as magic == \"MM\" ? order::big : order::little");
  return true;
}
template <auto Order, class S> consteval bool is_byte_order() {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(detail::evaluate<Order>(
                                   std::declval<const S&>()))>,
                               order>)
    return true;
  else
    return this_member_is_not_a_byte_order<quoted_t<label_of<tag_label<Order>>>>();
}
// `Items` in the byte order `O`, if the evaluated order is `O`.
template <order O, class Policy, class... Items> using if_order =
    alternative<tag_is<O>, parts_t<policy<O, Policy::place, Policy::arch>, Items...>>;
// `Items` in the byte order that `Order` returns. Errors about all items name the first one.
template <auto Order, class Policy, class... Items> struct bound_in_byte_order
    : bound_choice<Order, if_order<order::big, Policy, Items...>,
                   if_order<order::little, Policy, Items...>> {
  static constexpr std::string_view label =
      if_order<order::big, Policy, Items...>::parts::first_label;
};
}  // namespace detail

// `Items` in the byte order that `Order` (&S::member, &S::function or a callable) returns. It is
// evaluated on members that were read earlier. The order applies to all items that do not state an
// order of their own, except inside nested records. previous<> carries an order from record to
// record, as pcapng does.
template <auto Order, class... Items> struct in_byte_order : detail::with_parts<Items...> {
  template <class Policy> using bind = detail::bound_in_byte_order<Order, Policy, Items...>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_byte_order<Order, typename Place::record>() &&
           detail::is_earlier<Order, Place>() && detail::parts_in_order<Place, Items...>::value;
  }
};

}  // namespace tracecodec::wire
