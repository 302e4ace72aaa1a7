// Values of checksums: numbers, and digests, which are arrays of bytes.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../array.hpp"
#include "../scalar.hpp"

namespace tracecodec::wire::detail {

// True for an array of bytes or characters.
template <class T> inline constexpr bool is_digest = false;
template <class T, std::size_t N> inline constexpr bool is_digest<std::array<T, N>> = sizeof(T) ==
                                                                                      1;

// Type of a checksum's value: std::uint64_t, or the type of the digest that `Sum` returns.
template <class Sum> using returned_by_sum =
    std::remove_cvref_t<decltype(std::declval<const Sum&>().value())>;
template <class Sum> using sum_value =
    std::conditional_t<is_digest<returned_by_sum<Sum>>, returned_by_sum<Sum>, std::uint64_t>;

// True if a member of type `M` can contain a value of type `N`.
template <class M, class N> inline constexpr bool can_hold_sum = std::is_integral_v<integer_t<M>>;
template <class M, class T, std::size_t N> inline constexpr bool can_hold_sum<M, std::array<T, N>> =
    false;
template <class E, class T, std::size_t N>
inline constexpr bool can_hold_sum<std::array<E, N>, std::array<T, N>> = sizeof(E) == 1;

// Returns true if the member `m` is equal to the value `n`.
template <class M, class N> constexpr bool equals_sum(const M& m, const N& n) noexcept {
  if constexpr (is_digest<N>) {
    for (std::size_t i = 0; i < n.size(); ++i)
      if (static_cast<std::uint8_t>(m[i]) != static_cast<std::uint8_t>(n[i])) return false;
    return true;
  } else {
    return static_cast<std::uint64_t>(static_cast<integer_t<M>>(m)) == n;
  }
}
// Sets the member `m` to the value `n`. Returns false if `n` does not fit the member.
template <class M, class N> constexpr bool set_to_sum(M& m, const N& n) noexcept {
  if constexpr (is_digest<N>)
    for (std::size_t i = 0; i < n.size(); ++i) m[i] = static_cast<typename M::value_type>(n[i]);
  else
    m = static_cast<M>(n);
  return equals_sum(m, n);
}

}  // namespace tracecodec::wire::detail
