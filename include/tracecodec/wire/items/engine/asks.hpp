// Evaluates counts and conditions, and decides which members they depend on. A member is named. A function
// may depend on every member described before it: a list of items begins a section there. Sections that
// are grouped by hand are trusted to evaluate functions of earlier sections only; decode evaluates a
// function once, before it reads the section.
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

// Where in a record something is evaluated: after `Earlier`, before `Unread`, of which the first is the
// section that evaluates it. `Trusted` functions depend on earlier sections only.
template <class... Sections> struct section_list {};
template <class Policy, bool Trusted, class Earlier, class Unread> struct place;
template <class Policy, bool Trusted, class... Earlier, class... Unread>
struct place<Policy, Trusted, section_list<Earlier...>, section_list<Unread...>> {
  static constexpr bool trusts_functions = Trusted;
  static consteval bool earlier(std::string_view member) {
    return (Earlier::mentions(member) + ... + 0) != 0 || (gives<Unread>(member) || ...);
  }
};

// Whether `Ask` depends on earlier sections only.
template <auto Ask, class Place> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Place::earlier(name_of<Ask>);
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return true;
  else if constexpr (requires { decltype(Ask)::template asks_earlier<Place>(); })
    return decltype(Ask)::template asks_earlier<Place>();
  else
    return Place::trusts_functions;
}

// Whether `Ask`, or what `Item` asks, may depend on what the items of section `Open` read. (A function may.)
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

// Whether all that `Item` asks is.
template <class Item, class Place> consteval bool asks_earlier() {
  if constexpr (requires { Item::template asks_earlier<Place>(); })
    return Item::template asks_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail
