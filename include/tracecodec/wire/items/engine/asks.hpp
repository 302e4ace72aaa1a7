// The order of counts and conditions and of the members that they depend on. A member is checked by its name. The members
// that a function reads are unknown: decode calls it once, before the section is read.
#pragma once
#include <string_view>
#include <type_traits>

#include "../../types/engine/infer.hpp"

namespace tracecodec::wire::detail {

// `Ask` is &S::member, &S::function, anything callable with a record, or a number.
template <auto Ask, class S> TRACECODEC_INLINE constexpr auto ask(const S& s) noexcept {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return s.*Ask;
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return Ask;
  else if constexpr (std::is_member_function_pointer_v<decltype(Ask)>)
    return (s.*Ask)();
  else {
    // A copy: clang 19 gives a parameter object of a local type a symbol that does not link.
    constexpr auto asked = Ask;
    return asked(s);
  }
}

// How often `Item` gives a member a value: not, if that has no bytes.
template <class Item> consteval int loads(std::string_view member) {
  if constexpr (requires { Item::loads(member); })
    return Item::loads(member);
  else
    return Item::mentions(member);
}

// Whether `Item` is a member that the caller sets before decode.
template <class Item> consteval bool gives(std::string_view member) {
  if constexpr (requires { Item::gives(member); })
    return Item::gives(member);
  else
    return false;
}

// A place in a record of type S: after the sections `Earlier`, before the sections `Later`.
template <class... Sections> struct section_list {};
template <class S, class Policy, class Earlier, class Later> struct place;
template <class S, class Policy, class... Earlier, class... Later>
struct place<S, Policy, section_list<Earlier...>, section_list<Later...>> {
  using record = S;
  // Returns whether the member is read before the place, or is set by the caller.
  static consteval bool earlier(std::string_view member) {
    return (Earlier::mentions(member) + ... + 0) != 0 || (gives<Later>(member) || ...);
  }
};

// Returns false if `Ask` is a member that is not read before the place.
template <auto Ask, class Place> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Place::earlier(name_of<Ask>);
  else if constexpr (requires { decltype(Ask)::template asks_earlier<Place>(); })
    return decltype(Ask)::template asks_earlier<Place>();
  else
    return true;
}

// Returns whether `Ask`, or a count or condition of `Item`, may depend on members that section `Open` reads, as any function
// may.
template <auto Ask, class Open> consteval bool asks_of() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Open::loads(name_of<Ask>) != 0;
  else
    return !std::is_integral_v<decltype(Ask)>;
}
template <class Item, class Open> consteval bool item_asks_of() {
  if constexpr (requires { Item::template asks_of<Open>(); })
    return Item::template asks_of<Open>();
  else
    return false;
}

// Returns false if a count or a condition of `Item` is a member that is not read before the place.
template <class Item, class Place> consteval bool asks_earlier() {
  if constexpr (requires { Item::template asks_earlier<Place>(); })
    return Item::template asks_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail
