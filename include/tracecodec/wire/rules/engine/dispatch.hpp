// Dispatch on the tag of a choice: a switch over alternatives whose values are numbers, and
// comparisons for all others.
#pragma once
#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../items/items.hpp"

namespace tracecodec::wire::detail {

// Switch over up to 8 numbers. by() returns f(std::integral_constant<std::size_t, First + I>) if `n`
// is the number `V` with index I, and other() if `n` is none of them.
template <std::size_t First, std::uint64_t... V> struct cases {
  static constexpr std::size_t count = sizeof...(V);
  // The numbers, and other ones for the unused cases.
  static constexpr std::array<std::uint64_t, 8> v = [] {
    static_assert(count <= 8);
    std::array<std::uint64_t, 8> all{V...};
    std::uint64_t unused = 0;
    for (std::size_t n = count; n < all.size(); ++unused) {
      bool used = false;
      for (std::size_t i = 0; i < n; ++i) used = used || all[i] == unused;
      if (!used) all[n++] = unused;
    }
    return all;
  }();
  template <class F, class Other>
  TRACECODEC_INLINE static constexpr auto by(std::uint64_t n, F& f, Other&& other) noexcept {
    // clang-format off
    switch (n) {
      case v[0]: if constexpr (count > 0) return f(index<0>{}); else break;
      case v[1]: if constexpr (count > 1) return f(index<1>{}); else break;
      case v[2]: if constexpr (count > 2) return f(index<2>{}); else break;
      case v[3]: if constexpr (count > 3) return f(index<3>{}); else break;
      case v[4]: if constexpr (count > 4) return f(index<4>{}); else break;
      case v[5]: if constexpr (count > 5) return f(index<5>{}); else break;
      case v[6]: if constexpr (count > 6) return f(index<6>{}); else break;
      case v[7]: if constexpr (count > 7) return f(index<7>{}); else break;
      default: break;
    }
    // clang-format on
    return other();
  }

 private:
  template <std::size_t I> using index = std::integral_constant<std::size_t, First + I>;
};

// Dispatch over alternatives. f receives the index of an alternative as a
// std::integral_constant.
template <class... A> struct dispatch {
  template <std::size_t I> using alternative = std::tuple_element_t<I, std::tuple<A...>>;

  // Returns f(index) for the first alternative that matches `tag`, or none() if no alternative
  // matches.
  template <class T, class F, class None>
  TRACECODEC_INLINE static constexpr auto by_tag(const T& tag, F&& f, None&& none) noexcept {
    return from_tag<0>(tag, f, none);
  }
  // Returns f(index) for alternative number `i`, or none() if `i` is too large.
  template <class F, class None>
  TRACECODEC_INLINE static constexpr auto by_index(std::size_t i, F&& f, None&& none) noexcept {
    return from_index<0>(i, f, none);
  }

 private:
  template <class T> static constexpr std::uint64_t number(const T& tag) noexcept {
    return static_cast<std::uint64_t>(static_cast<integer_t<T>>(tag));
  }
  template <class On, class T> static consteval bool has_number() {
    if constexpr (requires { On::value; } && (std::is_integral_v<T> || std::is_enum_v<T>))
      return !requires { On::value.size(); };
    else
      return false;
  }
  // Returns the number of alternatives, starting at number `First`, that fit one switch.
  template <std::size_t First, class T> static consteval std::size_t numbers() {
    if constexpr (First == sizeof...(A)) {
      return 0;
    } else {
      constexpr std::array<bool, sizeof...(A)> are{has_number<typename A::on, T>()...};
      std::size_t n = 0;
      while (n < 8 && First + n < are.size() && are[First + n]) ++n;
      return n;
    }
  }

  template <std::size_t First, class T, class F, class None>
  TRACECODEC_INLINE static constexpr auto from_tag(const T& tag, F& f, None& none) noexcept {
    constexpr std::size_t n = numbers<First, T>();
    if constexpr (First == sizeof...(A)) {
      return none();
    } else if constexpr (n < 2) {
      if (alternative<First>::on::matches(tag))
        return f(std::integral_constant<std::size_t, First>{});
      return from_tag<First + 1>(tag, f, none);
    } else {
      return switch_on<First>(
          number(tag), std::make_index_sequence<n>{}, std::type_identity<T>{},
          f, [&]() __attribute__((always_inline)) { return from_tag<First + n>(tag, f, none); });
    }
  }
  template <std::size_t First, std::size_t... I, class T, class F, class Other>
  TRACECODEC_INLINE static constexpr auto switch_on(std::uint64_t tag, std::index_sequence<I...>,
                                                    std::type_identity<T>, F& f,
                                                    Other&& other) noexcept {
    return cases<First, number(alternative<First + I>::on::template expected<T>())...>::by(tag, f,
                                                                                           other);
  }
  template <std::size_t First, class F, class None>
  TRACECODEC_INLINE static constexpr auto from_index(std::size_t i, F& f, None& none) noexcept {
    constexpr std::size_t left = sizeof...(A) - First;
    if constexpr (left == 0)
      return none();
    else
      return switch_on_index<First>(i, std::make_index_sequence<(left < 8 ? left : 8)>{}, f, none);
  }
  template <std::size_t First, std::size_t... I, class F, class None>
  TRACECODEC_INLINE static constexpr auto switch_on_index(std::size_t i, std::index_sequence<I...>,
                                                          F& f, None& none) noexcept {
    return cases<First, First + I...>::by(
        i, f, [&]() __attribute__((always_inline)) {
          return from_index<First + sizeof...(I)>(i, f, none);
        });
  }
};

}  // namespace tracecodec::wire::detail
