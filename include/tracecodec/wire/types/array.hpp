// Arrays of fixed length.
#pragma once
#include <array>
#include <utility>

#include "engine/scan.hpp"
#include "scalar.hpp"

namespace tracecodec::wire {

template <class T> inline constexpr bool is_std_array = false;
template <class T, std::size_t N> inline constexpr bool is_std_array<std::array<T, N>> = true;

// Array of `N` adjacent values of wire type `W`.
template <class W, std::size_t N> struct array_of {
  using element = W;
  using value_type = std::array<typename W::value_type, N>;
  static constexpr std::size_t size = W::size * N;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr bool object_bytes =
      W::object_bytes && sizeof(value_type) == size && std::is_trivially_copyable_v<value_type>;

  TRACECODEC_INLINE static constexpr value_type load(const byte* p) noexcept {
    value_type a{};
    // Loading element by element keeps the result in registers. Otherwise g++ would copy an object
    // through the stack.
    if constexpr (N <= 8)
      load_each(a, p, std::make_index_sequence<N>{});
    else
      load_into(a, p);
    return a;
  }
  TRACECODEC_INLINE static constexpr void load_into(value_type& a, const byte* p) noexcept {
    if constexpr (object_bytes) {
      // Copying the whole array at once takes 27 instructions for a ChampSim record, instead of 41.
      if (!std::is_constant_evaluated()) {
        std::memcpy(a.data(), p, size);
        return;
      }
    }
    // Reads up to 8 elements without a loop. Inside a loop over records, g++ -O2 would not unroll a
    // loop of even 4 iterations.
    if constexpr (N <= 8)
      load_each(a, p, std::make_index_sequence<N>{});
    else
      for (std::size_t i = 0; i < N; ++i) a[i] = W::load(p + i * W::size);
  }

  TRACECODEC_INLINE static constexpr void store(const value_type& a, byte* p) noexcept {
    if constexpr (object_bytes) {
      if (!std::is_constant_evaluated()) {
        std::memcpy(p, a.data(), size);
        return;
      }
    }
    for (std::size_t i = 0; i < N; ++i) W::store(a[i], p + i * W::size);
  }

  // Returns true if all elements fit. A scalar of the element's own type always fits, so only
  // nested records are checked.
  static constexpr bool fits(const value_type& a) noexcept {
    if constexpr (!scalar_value<typename W::value_type>)
      for (const auto& v : a)
        if (!W::fits(v)) return false;
    return true;
  }
  // Returns the error of the first nested record that cannot be written, or ok if all can be
  // written.
  static constexpr errc check(const value_type& a) noexcept requires requires { W::check(a[0]); }
  {
    for (const auto& v : a)
      if (const errc e = W::check(v); e != errc::ok) return e;
    return errc::ok;
  }

  static constexpr bool refuses = detail::may_refuse<W>;
  static constexpr errc accepts(const byte* p) noexcept requires refuses {
    for (std::size_t i = 0; i < N; ++i, p += W::size)
      if (const errc e = W::accepts(p); e != errc::ok) return e;
    return errc::ok;
  }

  static constexpr text type_name() noexcept {
    text t = W::type_name();
    t += "[";
    t += N;
    return t += "]";
  }

 private:
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr void load_each([[maybe_unused]] value_type& a,
                                                    [[maybe_unused]] const byte* p,
                                                    std::index_sequence<I...>) noexcept {
    ((a[I] = W::load(p + I * W::size)), ...);
  }
};

}  // namespace tracecodec::wire
