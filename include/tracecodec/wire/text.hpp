// Short strings built at compile time, such as names of members and of wire types.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "members.hpp"

namespace tracecodec::wire {

// String of up to 95 characters. Longer strings are truncated.
struct text {
  static constexpr std::size_t most = 95;
  // A C array saves compile time: the functions of std::array would be evaluated for each
  // character.
  char chars[most]{};
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

// String literal that can be a template argument.
template <std::size_t N> struct fixed_string {
  char chars[N]{};
  consteval fixed_string(const char (&s)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
  // Returns the characters without the terminating 0.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, N - 1}; }
};

namespace detail {
template <class P> consteval bool this_is_not_a_member() {
  static_assert(sizeof(P*) == 0,
                "the first argument of an item is a pointer to a member that has bytes: write "
                "field<&S::m>, constant<&S::m, value>, counted<&S::view, count>; a static member "
                "has none");
  return true;
}
template <class P> struct member_pointer {
  static_assert(this_is_not_a_member<P>());
  struct owner {};
  using type = std::uint8_t;
};
template <class S, class T> struct member_pointer<T S::*> {
  using owner = S;
  using type = T;
};

// Returns the name of the member that `P` points to. __PRETTY_FUNCTION__ ends with the compiler's
// spelling of `P`: "... P = &S::ip]" or "... .S::ip)}]". The last identifier is the member's name.
// (The return type is deduced, because otherwise g++ would append the expansion of
// std::string_view.)
template <auto P> consteval auto spelling() {
  const char* const s = __PRETTY_FUNCTION__;
  std::size_t end = sizeof(__PRETTY_FUNCTION__) - 1;
  while (s[end - 1] == ']' || s[end - 1] == ')' || s[end - 1] == '}') --end;
  std::size_t begin = end;
  while (s[begin - 1] != ':' && s[begin - 1] != '.') --begin;
  return std::string_view(s + begin, end - begin);
}

// The characters of spelling<P>() alone. The compiler's own string contains all of
// __PRETTY_FUNCTION__, and would stay in the program.
template <std::size_t N> struct name_chars {
  char of[N]{};
  consteval name_chars(const char* s) noexcept {
    for (std::size_t i = 0; i < N; ++i) of[i] = s[i];
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {of, N}; }
};
template <auto P> inline constexpr name_chars<spelling<P>().size()> spelled{spelling<P>().data()};

// Wrapper for a pointer that is a template argument.
template <class T> struct address {
  // clang 14 accepts a pointer to a subobject as a template argument only inside a class.
  T* of;
};
// Object whose members' addresses are used, but whose values are never read. (The object is not
// constant, because constants would cause unneeded instantiations of Boost.PFR's functions.)
template <class S> inline S blank{};
}  // namespace detail

template <auto P> using owner_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::owner;
template <auto P> using member_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::type;

// Name of the member that `P` (&S::member) points to.
template <auto P> inline constexpr std::string_view name_of = detail::spelled<P>.view();

// Returns the name of the enumerator among `Values` that equals `v`, or an empty string.
template <auto... Values, class E> constexpr std::string_view name_among(E v) noexcept {
  std::string_view name;
  static_cast<void>(((v == Values && (name = detail::spelled<Values>.view(), true)) || ...));
  return name;
}

// Name of member `I` of a plain struct. (The operator & would instantiate the codecs of a member that
// is a view.)
template <class S, std::size_t I>
inline constexpr std::string_view member_name = detail::spelled<detail::address<member_type<S, I>>{
    __builtin_addressof(member_at<I>(detail::blank<S>))}>.view();

// Returns true if two pointers to members refer to the same member. The pointers may have different
// types.
template <auto A, auto B> consteval bool same_member() {
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(A)>, std::remove_cv_t<decltype(B)>>)
    return A == B;
  else
    return false;
}

}  // namespace tracecodec::wire
