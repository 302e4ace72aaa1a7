// Short texts built at compile time: names of members, names of wire types.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "members.hpp"

namespace tracecodec::wire {

// A text of at most 95 characters; what does not fit is cut.
struct text {
  static constexpr std::size_t most = 95;
  char chars[most]{};  // a std::array's functions would take a compiler's time, once a character
  unsigned char length = 0;

  constexpr text() = default;
  constexpr text(std::string_view s) noexcept { *this += s; }
  constexpr text& operator+=(std::string_view s) noexcept {
    for (const char c : s)
      if (length < most) chars[length++] = c;
    return *this;
  }
  constexpr text& operator+=(std::uint64_t number) noexcept {
    if (number >= 10) *this += number / 10;
    const char digit = static_cast<char>('0' + number % 10);
    return *this += std::string_view(&digit, 1);
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, length}; }
};

// A string literal as a template argument.
template <std::size_t N> struct fixed_string {
  char chars[N]{};
  consteval fixed_string(const char (&s)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
  // Without the terminating 0.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, N - 1}; }
};

namespace detail {
template <class P> struct member_pointer;
template <class S, class T> struct member_pointer<T S::*> {
  using owner = S;
  using type = T;
};

// The compiler spells `P` at the end of this function's name: "... P = &S::ip]" or "... .S::ip)}]".
// Its last identifier is the member. (Deduced return type: else g++ appends the type's meaning.)
template <auto P> consteval auto spelling() {
  const char* const s = __PRETTY_FUNCTION__;
  std::size_t end = sizeof(__PRETTY_FUNCTION__) - 1;
  while (s[end - 1] == ']' || s[end - 1] == ')' || s[end - 1] == '}') --end;
  std::size_t begin = end;
  while (s[begin - 1] != ':' && s[begin - 1] != '.') --begin;
  return std::string_view(s + begin, end - begin);
}

template <class T> struct address {  // clang 14 takes a pointer to a subobject only inside a class
  T* of;
};
// Its members have addresses and nobody reads them. (Not a constant, so that Boost.PFR's functions for
// constants are instantiated only where they are needed.)
template <class S> inline S blank{};
}  // namespace detail

template <auto P> using owner_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::owner;
template <auto P> using member_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::type;

// The name of the member that `&S::member` points to.
template <auto P> inline constexpr std::string_view name_of = detail::spelling<P>();

// The name of member `I` of a plain struct.
template <class S, std::size_t I> inline constexpr std::string_view member_name =
    detail::spelling<detail::address<member_type<S, I>>{&member_at<I>(detail::blank<S>)}>();

// Whether two pointers to members, perhaps of different types, are the same.
template <auto A, auto B> consteval bool same_member() {
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(A)>, std::remove_cv_t<decltype(B)>>)
    return A == B;
  else
    return false;
}

}  // namespace tracecodec::wire
