// Numbers in representations that processors do not support: integers of 24 to 56 bits and of 128
// bits, integers in both byte orders, numbers as text, and short floating point.
#pragma once
#include <limits>
#include <type_traits>

#include "items.hpp"

namespace tracecodec::wire {

// Integer `T` in `N` bytes of order `O`. Signed integers are in two's complement.
template <class T, std::size_t N, order O> struct integer_of {
  static_assert(std::is_integral_v<T> && N != 0 && N < sizeof(T),
                "an integer of fewer bytes than its member has");
  using value_type = T;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr order byte_order = O;
  static constexpr bool has_order = N > 1;
  static constexpr bool object_bytes = false;
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept {
    bits v = 0;
    for (std::size_t i = 0; i < N; ++i)
      v = static_cast<bits>(v | static_cast<bits>(std::to_integer<bits>(p[i]) << shift(i)));
    if constexpr (std::is_signed_v<T>) v = static_cast<bits>((v ^ sign) - sign);
    return static_cast<T>(v);
  }
  TRACECODEC_INLINE static constexpr void store(T t, byte* p) noexcept {
    const auto v = static_cast<bits>(t);
    for (std::size_t i = 0; i < N; ++i) p[i] = static_cast<byte>((v >> shift(i)) & 0xff);
  }
  static constexpr bool fits(T t) noexcept {
    constexpr auto most = static_cast<T>(std::is_signed_v<T> ? sign - 1 : sign * 2 - 1);
    if constexpr (std::is_signed_v<T>) return t >= -most - 1 && t <= most;
    return t <= most;
  }
  static constexpr text type_name() noexcept {
    text t = std::is_signed_v<T> ? std::string_view("i") : std::string_view("u");
    return t += 8 * N;
  }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr bits sign = bits{1} << (8 * N - 1);
  static constexpr unsigned shift(std::size_t i) noexcept {
    return static_cast<unsigned>(8 * (O == order::little ? i : N - 1 - i));
  }
};

// Unsigned integer of 128 bits, because not every host has such a type.
struct uint128 {
  std::uint64_t low = 0, high = 0;
  friend constexpr bool operator==(const uint128&, const uint128&) = default;
  template <class Policy> struct codec {
    using value_type = uint128;
    using half = scalar<std::uint64_t, Policy::byte_order>;
    static constexpr std::size_t size = 16;
    static constexpr std::size_t alignment = 16;
    static constexpr order byte_order = Policy::byte_order;
    static constexpr bool has_order = true;
    static constexpr bool object_bytes = Policy::byte_order == order::little && half::object_bytes;
    static constexpr std::size_t low_at = byte_order == order::little ? 0 : 8;
    TRACECODEC_INLINE static constexpr uint128 load(const byte* p) noexcept {
      return {half::load(p + low_at), half::load(p + (8 - low_at))};
    }
    TRACECODEC_INLINE static constexpr void store(const uint128& v, byte* p) noexcept {
      half::store(v.low, p + low_at);
      half::store(v.high, p + (8 - low_at));
    }
    static constexpr bool fits(const uint128&) noexcept { return true; }
    static constexpr text type_name() noexcept { return std::string_view("u128"); }
  };
  template <class Policy> using wire_type = codec<Policy>;
};

// Integer `T` stored twice: little-endian, then big-endian (ISO 9660, 7.2.3 and 7.3.3). decode
// returns malformed if the two values differ.
template <scalar_value T> struct both_orders_of {
  using value_type = T;
  using little = scalar<T, order::little>;
  using big = scalar<T, order::big>;
  static constexpr std::size_t size = 2 * little::size;
  static constexpr std::size_t alignment = little::alignment;
  static constexpr order byte_order = order::little;
  static constexpr bool has_order = false;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = true;
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept { return little::load(p); }
  TRACECODEC_INLINE static constexpr void store(T v, byte* p) noexcept {
    little::store(v, p);
    big::store(v, p + little::size);
  }
  static constexpr errc accepts(const byte* p) noexcept {
    return little::load(p) == big::load(p + little::size) ? errc::ok : errc::malformed;
  }
  static constexpr bool fits(T) noexcept { return true; }
  static constexpr layout_how how{.as = read_as::both_orders};
  static constexpr text type_name() noexcept {
    text t = little::type_name();
    return t += ", both orders";
  }
};

// Position of a number's digits in its characters:
// - zeros_nul: leading zeros, and a NUL as the last character.
// - zeros_nul_blank: leading zeros, and a NUL and a blank as the last two characters (tar).
// - zeros: leading zeros, and digits up to the last character.
// - left: digits, then blanks (ar).
// - right: blanks, then digits.
enum class digits_as : std::uint8_t { zeros_nul, zeros_nul_blank, zeros, left, right };

// Unsigned number as `N` characters in base `Base`, from 2 to 16. decode accepts blanks before the
// digits, and blanks and NULs after them. A field of blanks and NULs is 0. Anything else is
// malformed, including a number that does not fit `T`. encode writes the digits as `As` states, in
// lower case, or returns does_not_fit if there are too many digits.
template <class T, std::size_t N, unsigned Base, digits_as As> struct digits_of {
  static_assert(std::is_unsigned_v<T> && Base >= 2 && Base <= 16 && N != 0);
  using value_type = T;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr order byte_order = order::native;
  static constexpr bool has_order = false;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = true;
  static constexpr T load(const byte* p) noexcept { return parse(p).value; }
  static constexpr errc accepts(const byte* p) noexcept {
    return parse(p).good ? errc::ok : errc::malformed;
  }
  static constexpr void store(T v, byte* p) noexcept {
    const std::size_t n = length(v);
    const std::size_t end = As == digits_as::left ? n : N - behind;
    constexpr bool zeros = behind != 0 || As == digits_as::zeros;
    for (std::size_t i = 0; i < N; ++i) p[i] = static_cast<byte>(zeros ? '0' : ' ');
    if constexpr (behind != 0) p[N - behind] = byte{0};
    if constexpr (behind == 2) p[N - 1] = static_cast<byte>(' ');
    for (std::size_t i = 0; i < n && i < end; ++i, v = static_cast<T>(v / Base))
      p[end - 1 - i] = static_cast<byte>("0123456789abcdef"[v % Base]);
  }
  static constexpr bool fits(T v) noexcept { return length(v) <= N - behind; }
  static constexpr layout_how how{.as = read_as::digits, .number = Base};
  static constexpr text type_name() noexcept {
    text t = std::string_view("digits, base ");
    return t += Base;
  }

 private:
  // Number of characters after the digits.
  static constexpr std::size_t behind = As == digits_as::zeros_nul         ? 1
                                        : As == digits_as::zeros_nul_blank ? 2
                                                                           : 0;
  struct parsed {
    T value = 0;
    bool good = true;
  };
  static constexpr std::size_t length(T v) noexcept {
    std::size_t n = 1;
    for (; v >= Base; v = static_cast<T>(v / Base)) ++n;
    return n;
  }
  static constexpr unsigned digit(unsigned char c) noexcept {
    if (c >= '0' && c <= '9') return c - unsigned{'0'};
    if (c >= 'a' && c <= 'f') return c - unsigned{'a'} + 10;
    if (c >= 'A' && c <= 'F') return c - unsigned{'A'} + 10;
    return 16;
  }
  static constexpr parsed parse(const byte* p) noexcept {
    const auto at = [p](std::size_t i) { return std::to_integer<unsigned char>(p[i]); };
    parsed r{};
    std::size_t i = 0;
    while (i < N && at(i) == ' ') ++i;
    for (; i < N && digit(at(i)) < Base; ++i) {
      const unsigned d = digit(at(i));
      if (r.value > (std::numeric_limits<T>::max() - d) / Base) return {0, false};
      r.value = static_cast<T>(r.value * Base + d);
    }
    for (; i < N; ++i)
      if (at(i) != ' ' && at(i) != 0) return {0, false};
    return r;
  }
};

// Floating-point number of 16 bits. `Exponent` is 5 for IEEE 754 binary16 and 8 for bfloat16.
// encode returns does_not_fit for values that would not round-trip, except NaNs.
template <unsigned Exponent, order O> struct float16_of {
  static_assert(Exponent == 5 || Exponent == 8);
  using value_type = float;
  using half = scalar<std::uint16_t, O>;
  static constexpr std::size_t size = 2;
  static constexpr std::size_t alignment = 2;
  static constexpr order byte_order = O;
  static constexpr bool has_order = true;
  static constexpr bool object_bytes = false;
  static constexpr float load(const byte* p) noexcept { return widen(half::load(p)); }
  static constexpr void store(float v, byte* p) noexcept { half::store(narrow(v), p); }
  static constexpr bool fits(float v) noexcept { return v != v || widen(narrow(v)) == v; }
  static constexpr text type_name() noexcept {
    return Exponent == 5 ? std::string_view("f16") : std::string_view("bf16");
  }

 private:
  static constexpr unsigned fraction = 15 - Exponent;
  // Exponent of infinities and NaNs.
  static constexpr std::uint32_t largest = (1U << Exponent) - 1;
  static constexpr std::uint32_t bias = largest / 2;

  static constexpr float widen(std::uint16_t h) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000U) << 16;
    std::uint32_t e = (h >> fraction) & largest, f = h & ((1U << fraction) - 1);
    if (e == largest) return std::bit_cast<float>(sign | 0x7f800000U | f << (23 - fraction));
    if (e == 0) {
      if (f == 0) return std::bit_cast<float>(sign);
      if constexpr (Exponent == 8) return std::bit_cast<float>(sign | f << (23 - fraction));
      // `e` may wrap below 0. Adding the bias below undoes the wrap.
      for (e = 1; (f >> fraction) == 0; f <<= 1) --e;
      f &= (1U << fraction) - 1;
    }
    return std::bit_cast<float>(sign | (e + 127 - bias) << 23 | f << (23 - fraction));
  }
  // Returns the 16-bit form of `v`, without the low fraction bits that do not fit.
  static constexpr std::uint16_t narrow(float v) noexcept {
    const auto u = std::bit_cast<std::uint32_t>(v);
    const std::uint32_t sign = u >> 16 & 0x8000U, f = u & 0x7fffffU;
    const auto e =
        static_cast<std::int32_t>(u >> 23 & 0xff) - 127 + static_cast<std::int32_t>(bias);
    std::uint32_t h = 0;
    if ((u >> 23 & 0xff) == 0xff)
      h = largest << fraction | f >> (23 - fraction) | (f != 0 && f >> (23 - fraction) == 0);
    else if (e >= static_cast<std::int32_t>(largest))
      h = largest << fraction;
    else if (e > 0)
      h = static_cast<std::uint32_t>(e) << fraction | f >> (23 - fraction);
    else if (Exponent == 8)
      h = f >> (23 - fraction);
    else if (e > -static_cast<std::int32_t>(fraction))
      h = (f | 0x800000U) >> (23 - fraction + 1 - static_cast<std::uint32_t>(e));
    return static_cast<std::uint16_t>(sign | h);
  }
};

// Member `P` in `Bits` bits, in the record's byte order. `Bits` is a multiple of 8 and below the
// width of the member's type.
template <auto P, unsigned Bits> struct integer : field<P> {
  static_assert(Bits % 8 == 0);
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>,
                          integer_of<member_t<P>, Bits / 8, Policy::byte_order>>;
};
template <auto P> struct both_orders : field<P, both_orders_of<member_t<P>>> {};
template <auto P, std::size_t N, unsigned Base, digits_as As = digits_as::zeros_nul> struct digits
    : field<P, digits_of<member_t<P>, N, Base, As>> {};
template <auto P> struct float16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<5, Policy::byte_order>>;
};
template <auto P> struct bfloat16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<8, Policy::byte_order>>;
};

}  // namespace tracecodec::wire
