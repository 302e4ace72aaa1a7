// Members of a plain struct: their number, their types and references to them. The implementation
// uses only the public interface of Boost.PFR. Boost 1.81 searches for the number of members,
// starting at the number of bits of the struct. The search takes clang 0.8 s for a struct of 4 KB
// and 2.5 s for a struct of 16 KB. g++ needs less time.
#pragma once
#include <boost/pfr/core.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../config.hpp"

namespace tracecodec::wire {

template <class S> inline constexpr std::size_t member_count = boost::pfr::tuple_size_v<S>;

// Largest number of members that Boost.PFR supports.
inline constexpr std::size_t most_members = 100;

namespace detail {
// Placeholder that converts to the type of any member. The conversions are never called, but clang
// requires that they have bodies for types without linkage.
struct any_value {
  std::size_t index;
  template <class T> operator T&() const&& noexcept { __builtin_unreachable(); }
  template <class T> operator T&() const& noexcept { __builtin_unreachable(); }
};

// Returns true if value `I` of `N` initialises the first element of a C array. In that case
// `{value}` initialises the whole array, and too few members remain for the other values. Returns
// false for a class with several constructors that accept the value.
template <class S, std::size_t I, std::size_t... Before, std::size_t... After>
consteval bool begins_array(std::index_sequence<Before...>, std::index_sequence<After...>) {
  if constexpr (requires { S{any_value{Before}..., {any_value{I}}}; }) return !requires {
      S{any_value{Before}..., {any_value{I}}, any_value{After}...};
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

// Placeholder that converts only to a base class of `S`.
template <class S> struct any_base {
  template <class T>
  requires(std::is_base_of_v<T, S> && !std::is_same_v<T, S>) operator T&() const&& noexcept;
};
// Placeholder that converts to the type of any member, and adds the size of this type to `sum`.
struct size_adder {
  std::size_t* sum;
  template <class T>
  requires std::is_default_constructible_v<T>
  constexpr operator T() const {
    *sum += std::is_empty_v<T> ? 0 : sizeof(T);
    return T{};
  }
};
template <class S, std::size_t... I> constexpr std::size_t sum_of_sizes(std::index_sequence<I...>) {
  std::size_t sum = 0;
  static_cast<void>(S{(static_cast<void>(I), size_adder{&sum})...});
  return sum;
}
template <std::size_t> struct size_constant {};
template <class S, std::size_t... I>
consteval bool has_overlapping_members(std::index_sequence<I...>) {
  using all = std::index_sequence<I...>;
  if constexpr (requires { S{(static_cast<void>(I), size_adder{})...}; }) {
    if constexpr (requires { typename size_constant<sum_of_sizes<S>(all{})>; })
      return sum_of_sizes<S>(all{}) > sizeof(S);
  }
  return false;
}
}  // namespace detail

// Returns true if the aggregate `S` has a base class.
template <class S> consteval bool has_base_class() {
  return requires { S{detail::any_base<S>{}}; };
}
// Returns true if the members of `S` need more bytes than `S` has, because some are bit-fields.
// (A language without reflection cannot recognise a bit-field that shares its bytes with no other.)
template <class S> consteval bool has_bit_fields() {
  return detail::has_overlapping_members<S>(std::make_index_sequence<member_count<S>>{});
}

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
  return boost::pfr::get<I>(s);
}

// Type of member `I` of `S`.
template <class S, std::size_t I> using member_type = boost::pfr::tuple_element_t<I, S>;

}  // namespace tracecodec::wire
