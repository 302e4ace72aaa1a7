// Strings that appear in compiler messages as part of a type's name.
#pragma once
#include <cstddef>
#include <utility>

#include "../../text.hpp"

namespace tracecodec::wire::detail {

// clang prints a string argument as a list of numbers. For clang, each character is therefore a
// separate argument, which is printed as a letter.
#if defined(__clang__)
template <char... Letters> struct quoted;
template <class From, std::size_t... I>
quoted<From::value.chars[I]...> quoted_of(std::index_sequence<I...>);
#else
template <std::size_t N> struct letters { char chars[N + 1]{}; };
template <letters Text> struct quoted;
template <class From, std::size_t... I>
quoted<letters<sizeof...(I)>{{From::value.chars[I]...}}> quoted_of(std::index_sequence<I...>);
#endif
// Type whose name contains the string From::value.
template <class From> using quoted_t =
    decltype(quoted_of<From>(std::make_index_sequence<From::value.length>{}));

// Name of member `I` of `S`, for quoted_t.
template <class S, std::size_t I> struct name_at {
  static constexpr text value = std::string_view(member_name<S, I>);
};

// Always false, but value-dependent, for a static_assert that fires only on instantiation.
template <class...> inline constexpr bool never = false;

}  // namespace tracecodec::wire::detail
