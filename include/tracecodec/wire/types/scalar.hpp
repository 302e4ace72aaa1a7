// Integers, enumerations, bool and floating-point numbers in a given byte order.
#pragma once
#include <array>
#include <bit>
#include <type_traits>

#include "../policy.hpp"
#include "../result.hpp"
#include "../text.hpp"
#include "bytes.hpp"

namespace tracecodec::wire {

namespace detail {
template <std::size_t Size> struct unsigned_of;
template <> struct unsigned_of<1> { using type = std::uint8_t; };
template <> struct unsigned_of<2> { using type = std::uint16_t; };
template <> struct unsigned_of<4> { using type = std::uint32_t; };
template <> struct unsigned_of<8> { using type = std::uint64_t; };

template <class T> struct integer_of { using type = T; };
template <class T>
requires std::is_enum_v<T>
struct integer_of<T> : std::underlying_type<T> {
};
// True for an integer. A bool is not one.
template <class T> inline constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;
}  // namespace detail

// Underlying integer type of an enumeration. Any other type is unchanged.
template <class T> using integer_t = typename detail::integer_of<T>::type;

template <class T>
concept scalar_value =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || std::is_enum_v<T>;

// Scalar `T` in sizeof(T) bytes of order `O`. A bool is one byte with value 0 or 1. decode rejects
// any other byte with invalid_value, because encode could not reproduce that byte. nonzero<>
// accepts all bytes.
template <scalar_value T, order O> struct scalar {
  using value_type = T;
  static constexpr std::size_t size = sizeof(T);
  static constexpr std::size_t alignment = size;
  static constexpr order byte_order = O;
  static constexpr bool has_order = size > 1;
  // True if every value has the same bytes on the wire and in memory.
  static constexpr bool object_bytes =
      !std::is_same_v<integer_t<T>, bool> && (size == 1 || O == order::native);

  // Reads `size` bytes at `p`, which need not be aligned.
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept {
    bits v{};
    if (std::is_constant_evaluated()) {
      std::array<byte, size> raw{};
      copy(p, raw.data(), size);
      v = std::bit_cast<bits>(raw);
    } else {
      std::memcpy(&v, p, size);
    }
    if constexpr (O != order::native) v = reversed(v);
    if constexpr (std::is_same_v<integer_t<T>, bool>)
      return static_cast<T>(v != 0);
    else if constexpr (std::is_floating_point_v<T>)
      return std::bit_cast<T>(v);
    else
      return static_cast<T>(v);
  }

  // Writes `size` bytes at `p`.
  TRACECODEC_INLINE static constexpr void store(T t, byte* p) noexcept {
    bits v{};
    if constexpr (std::is_floating_point_v<T>)
      v = std::bit_cast<bits>(t);
    else
      v = static_cast<bits>(t);
    if constexpr (O != order::native) v = reversed(v);
    // The array is used only at compile time. At run time, g++ sometimes generated 51 instructions
    // with an array instead of 38 for a big-endian ChampSim record, depending on the preceding
    // code.
    if (std::is_constant_evaluated()) {
      const auto raw = std::bit_cast<std::array<byte, size>>(v);
      copy(raw.data(), p, size);
    } else {
      std::memcpy(p, &v, size);
    }
  }

  static constexpr bool refuses = std::is_same_v<integer_t<T>, bool>;
  TRACECODEC_INLINE static constexpr errc accepts(const byte* p) noexcept requires refuses {
    return std::to_integer<unsigned>(*p) <= 1 ? errc::ok : errc::invalid_value;
  }

  // Returns true if `T` can hold the value `v`, which may have a different integer type.
  template <class V> static constexpr bool fits(const V& v) noexcept {
    if constexpr (std::is_same_v<V, T> || std::is_floating_point_v<T>) {
      return true;
    } else {
      using from = integer_t<V>;
      using to = integer_t<T>;
      return static_cast<from>(static_cast<to>(static_cast<from>(v))) == static_cast<from>(v) &&
             (static_cast<from>(v) < from{}) == (static_cast<to>(static_cast<from>(v)) < to{});
    }
  }

  // Returns text such as "u64", "i16" or "f32". An enumeration has the name of its underlying
  // integer.
  static constexpr text type_name() noexcept {
    using integer = integer_t<T>;
    text t = std::is_floating_point_v<T> ? std::string_view("f")
             : std::is_signed_v<integer> ? std::string_view("i")
                                         : std::string_view("u");
    return t += 8 * size;
  }

 private:
  using bits = typename detail::unsigned_of<size>::type;
};

using u8 = scalar<std::uint8_t, order::little>;
using u16le = scalar<std::uint16_t, order::little>;
using u32le = scalar<std::uint32_t, order::little>;
using u64le = scalar<std::uint64_t, order::little>;
using i64le = scalar<std::int64_t, order::little>;
using u16be = scalar<std::uint16_t, order::big>;
using u32be = scalar<std::uint32_t, order::big>;
using u64be = scalar<std::uint64_t, order::big>;

// Returns the little-endian number in the `n` bytes at `p`. If `n` is greater than 8, only the
// first 8 bytes are used.
TRACECODEC_INLINE constexpr std::uint64_t load_little(const byte* p, std::size_t n) noexcept {
  if (n >= 8) return u64le::load(p);
  std::uint64_t v = 0;
  while (n-- != 0) v = v << 8U | std::to_integer<std::uint64_t>(p[n]);
  return v;
}

}  // namespace tracecodec::wire
