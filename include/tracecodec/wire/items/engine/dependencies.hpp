// Dependencies of counts and conditions on members that must be read before them. A dependency on a
// member is checked by the member's name. The members that a function reads are unknown, so decode
// calls the function once, before the section is read.
#pragma once
#include <string_view>
#include <type_traits>

#include "../../types/engine/infer.hpp"

namespace tracecodec::wire::detail {

// Evaluates `Ask`, which is &S::member, &S::function, a callable that takes the record, or a
// number.
template <auto Ask, class S> TRACECODEC_INLINE constexpr auto ask(const S& s) noexcept {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return s.*Ask;
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return Ask;
  else if constexpr (std::is_member_function_pointer_v<decltype(Ask)>)
    return (s.*Ask)();
  else {
    // The copy avoids an error: for a parameter object of a local type, clang 19 emits a symbol
    // that does not link.
    constexpr auto asked = Ask;
    return asked(s);
  }
}

// Returns the number of times that `Item` sets the member in decode, which is 0 if the member has
// no bytes.
template <class Item> consteval int loads(std::string_view member) {
  if constexpr (requires { Item::loads(member); })
    return Item::loads(member);
  else
    return Item::mentions(member);
}

// Returns true if `Item` declares the member as one that the caller sets before decode.
template <class Item> consteval bool gives(std::string_view member) {
  if constexpr (requires { Item::gives(member); })
    return Item::gives(member);
  else
    return false;
}

// Place in a record of type S: after the sections `Earlier` and before the sections `Later`.
template <class... Sections> struct section_list {};
template <class S, class Policy, class Earlier, class Later> struct place;
template <class S, class Policy, class... Earlier, class... Later>
struct place<S, Policy, section_list<Earlier...>, section_list<Later...>> {
  using record = S;
  // Returns true if the member is read before this place or is set by the caller.
  static consteval bool earlier(std::string_view member) {
    return (Earlier::mentions(member) + ... + 0) != 0 || (gives<Later>(member) || ...);
  }
};

// Returns false if `Ask` is a member that is not read before `Place`.
template <auto Ask, class Place> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Place::earlier(name_of<Ask>);
  else if constexpr (requires { decltype(Ask)::template depends_on_earlier<Place>(); })
    return decltype(Ask)::template depends_on_earlier<Place>();
  else
    return true;
}

// Returns true if `Ask` may depend on members that section `Open` reads. Every function is assumed
// to depend on them. item_depends_on() checks the counts and conditions of `Item`.
template <auto Ask, class Open> consteval bool depends_on() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Open::loads(name_of<Ask>) != 0;
  else
    return !std::is_integral_v<decltype(Ask)>;
}
template <class Item, class Open> consteval bool item_depends_on() {
  if constexpr (requires { Item::template depends_on<Open>(); })
    return Item::template depends_on<Open>();
  else
    return false;
}

// Returns false if a count or a condition of `Item` is a member that is not read before `Place`.
template <class Item, class Place> consteval bool depends_on_earlier() {
  if constexpr (requires { Item::template depends_on_earlier<Place>(); })
    return Item::template depends_on_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail
