// Members of a plain struct: their number, their types and references to them, through the public
// interface of Boost.PFR. Boost 1.81 searches for the number of members downwards from the number
// of bits. The search takes clang 0.8 s for a struct of 4 KB and 2.5 s for a struct of 16 KB. g++
// needs less time.
#pragma once
#include <boost/pfr/core.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tracecodec::wire {

template <class S> inline constexpr std::size_t member_count = boost::pfr::tuple_size_v<S>;

namespace detail {
// Placeholder that converts to the type of any member. The conversions are never called, but clang
// requires their bodies for types without linkage.
struct any_value {
  std::size_t index;
  template <class T> operator T&() const&& noexcept { __builtin_unreachable(); }
  template <class T> operator T&() const& noexcept { __builtin_unreachable(); }
};

// Returns true if value `I` of `N` initialises the first element of a C array. In that case
// `{value}` initialises the whole array, and too few members remain for the other values. Returns
// false for a class with several constructors that accept the value.
template <class S, std::size_t I, std::size_t... Before, std::size_t... Behind>
consteval bool begins_array(std::index_sequence<Before...>, std::index_sequence<Behind...>) {
  if constexpr (requires { S{any_value{Before}..., {any_value{I}}}; }) return !requires {
      S{any_value{Before}..., {any_value{I}}, any_value{Behind}...};
    };
  else
    return false;
}
template <class S, std::size_t I, std::size_t N> consteval std::size_t first_array() {
  if constexpr (I == N)
    return N;
  else if constexpr (begins_array<S, I>(std::make_index_sequence<I>{},
                                        std::make_index_sequence<N - I - 1>{}))
    return I;
  else
    return first_array<S, I + 1, N>();
}
template <class S, std::size_t... I> consteval bool takes_braced(std::index_sequence<I...>) {
  return requires { S{{any_value{I}}...}; };
}
}  // namespace detail

// Returns the index of the first member that is a C array, or member_count if there is none.
template <class S> consteval std::size_t c_array_in() {
  constexpr std::size_t n = member_count<S>;
  if constexpr (detail::takes_braced<S>(std::make_index_sequence<n>{}))
    return n;
  else
    return detail::first_array<S, 0, n>();
}

// Returns a reference to member `I` of `s`.
template <std::size_t I, class S> constexpr auto& member_at(S& s) noexcept {
  static_assert(!std::is_union_v<S>, "a union cannot be described: its active member is unknown");
  static_assert(c_array_in<std::remove_cv_t<S>>() == member_count<S>,
                "a member is a C array, which cannot be described: std::array can");
  return boost::pfr::get<I>(s);
}

// Type of member `I` of `S`.
template <class S, std::size_t I> using member_type = boost::pfr::tuple_element_t<I, S>;

}  // namespace tracecodec::wire
