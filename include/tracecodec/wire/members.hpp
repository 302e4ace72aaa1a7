// The members of a plain struct: how many there are, their types, references to them. Boost.PFR binds
// them. It would count them, too, but the older versions begin with as many as the struct has bits, at
// every type: of one of a kilobyte that takes g++ 12 ms, clang 70.
#pragma once
#include <boost/pfr/detail/core17_generated.hpp>
#include <boost/pfr/detail/fields_count.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tracecodec::wire {

namespace detail {
// Stands for the value of any member. (Never called: of types without linkage clang asks for bodies.)
struct any_value {
  std::size_t index;
  template <class T> operator T&() const&& noexcept { __builtin_unreachable(); }
  template <class T> operator T&() const& noexcept { __builtin_unreachable(); }
};
// The same of a base class, which an aggregate's first value is for.
template <class S> struct any_base {
  template <class T>
  requires(!std::is_same_v<T, S> && std::is_base_of_v<T, S>) operator T&() const noexcept {
    __builtin_unreachable();
  }
};
template <class S, std::size_t... I> consteval bool takes_values(std::index_sequence<I...>) {
  return requires { S{any_value{I}...}; };
}
// Whether a struct can be made of `N` values. If all can be left out, it can of as many as it has members,
// and of fewer.
template <class S, std::size_t N>
inline constexpr bool takes = takes_values<S>(std::make_index_sequence<N>{});
template <class S, std::size_t Few, std::size_t Many> consteval std::size_t count_between() {
  if constexpr (Many - Few == 1)
    return Few;
  else if constexpr (takes<S, Few + (Many - Few) / 2>)
    return count_between<S, Few + (Many - Few) / 2, Many>();
  else
    return count_between<S, Few, Few + (Many - Few) / 2>();
}
template <class S, std::size_t Few, std::size_t Many> consteval std::size_t count_up() {
  if constexpr (takes<S, Many>)
    return count_up<S, Many, 2 * Many>();
  else
    return count_between<S, Few, Many>();
}
template <class S> consteval std::size_t count_members() {
  if constexpr (std::is_aggregate_v<S> && std::is_class_v<S> && std::is_copy_constructible_v<S> &&
                !std::is_empty_v<S> && requires { S{}; }) {
    static_assert(
        !requires { S{any_base<S>{}}; },
        "a plain struct has no base class: whose members those are nobody knows");
    return count_up<S, 1, 4>();
  } else {
    return boost::pfr::detail::fields_count<S>();
  }
}

// Whether value `I` of `N` is that of a C array's first element: `{value}` is the whole array's, and leaves too few
// members for the others. (A class that several of its constructors could make of it tells nothing.)
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

template <class S>
inline constexpr std::size_t member_count = detail::count_members<std::remove_cv_t<S>>();

// The number of the first member that is a C array; member_count if none is.
template <class S> consteval std::size_t c_array_in() {
  constexpr std::size_t n = member_count<S>;
  if constexpr (detail::takes_braced<S>(std::make_index_sequence<n>{}))
    return n;
  else
    return detail::first_array<S, 0, n>();
}

// References to all members of `s`, which member_in() takes.
template <class S> constexpr auto members_of(S& s) noexcept {
  static_assert(!std::is_union_v<S>, "which member of a union has a value nobody knows");
  static_assert(c_array_in<std::remove_cv_t<S>>() == member_count<S>,
                "a member is a C array, which cannot be described: std::array can");
  return boost::pfr::detail::tie_as_tuple(s, boost::pfr::detail::size_t_<member_count<S>>{});
}
template <std::size_t I, class Members> constexpr auto& member_in(const Members& members) noexcept {
  return boost::pfr::detail::sequence_tuple::get_impl<I>(members);
}

// Member `I` of `s`.
template <std::size_t I, class S> constexpr auto& member_at(S& s) noexcept {
  return member_in<I>(members_of(s));
}

namespace detail {
template <class S> using members_t = decltype(members_of(std::declval<S&>()));
template <std::size_t I, class T>
std::remove_reference<T> type_in(const boost::pfr::detail::sequence_tuple::base_from_member<I, T>&);
}  // namespace detail

// Its type.
template <class S, std::size_t I> using member_type =
    typename decltype(detail::type_in<I>(std::declval<detail::members_t<S>>()))::type;

}  // namespace tracecodec::wire
