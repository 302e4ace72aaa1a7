// Numbers in representations that processors do not support: integers of 24 to 56 bits and of 128
// bits, integers in both byte orders, numbers as text, and short floating point.
#pragma once
#include <limits>
#include <type_traits>

#include "items.hpp"

namespace tracecodec::wire {

// Integer `T` stored in `N` bytes, in byte order `O`. Signed integers are in two's complement.
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

// Unsigned integer of 128 bits. It is a struct, because some compilers do not provide such an
// integer type.
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

// Integer `T` stored twice: first little-endian, then big-endian (ISO 9660, 7.2.3 and 7.3.3).
// decode returns malformed if the two values differ.
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

namespace detail {
// Wire type of nonzero<>, stored as the integer wire type `W`.
template <class W> struct nonzero_of {
  using value_type = bool;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr bool object_bytes = false;
  TRACECODEC_INLINE static constexpr bool load(const byte* p) noexcept { return W::load(p) != 0; }
  TRACECODEC_INLINE static constexpr void store(bool v, byte* p) noexcept {
    W::store(static_cast<typename W::value_type>(v), p);
  }
  static constexpr bool fits(bool) noexcept { return true; }
  static constexpr text type_name() noexcept { return W::type_name(); }
};
}  // namespace detail

// bool that is stored in an integer `T`, as in C and in the Windows type BOOL: 0 is false, and any
// other value is true. An example is field<&S::flag, nonzero<std::uint32_t>>. encode writes only 0
// or 1, so other values do not round-trip. In contrast, a plain bool accepts only the bytes 0 and
// 1.
template <class T = std::uint8_t> struct nonzero {
  template <class Policy> using wire_type = detail::nonzero_of<infer_t<T, Policy>>;
};

// Position of the digits in the characters of a number:
// - zeros_nul: leading zeros, and a NUL as the last character.
// - zeros_nul_blank: leading zeros, and a NUL and a blank as the last two characters (tar).
// - zeros: leading zeros, and digits up to the last character.
// - left: digits, then blanks (ar).
// - right: blanks, then digits.
enum class digits_as : std::uint8_t { zeros_nul, zeros_nul_blank, zeros, left, right };

namespace detail {
// Returns the value of a digit of base 16, or 16 for any other character.
constexpr unsigned digit_of(unsigned char c) noexcept {
  if (c >= '0' && c <= '9') return c - unsigned{'0'};
  if (c >= 'a' && c <= 'f') return c - unsigned{'a'} + 10;
  if (c >= 'A' && c <= 'F') return c - unsigned{'A'} + 10;
  return 16;
}
// Returns the number of digits of `v` in base `Base`.
template <unsigned Base, class T> constexpr std::size_t digits_in(T v) noexcept {
  std::size_t n = 1;
  for (; v >= Base; v = static_cast<T>(v / Base)) ++n;
  return n;
}
// Writes the last `n` digits of `v` in base `Base` to `p`.
template <unsigned Base, class T>
constexpr void store_digits(T v, std::size_t n, byte* p) noexcept {
  for (; n != 0; v = static_cast<T>(v / Base))
    p[--n] = static_cast<byte>("0123456789abcdef"[v % Base]);
}
template <unsigned Base> constexpr text name_of_digits() noexcept {
  text t = std::string_view("digits, base ");
  return t += Base;
}
}  // namespace detail

// Unsigned number stored as `N` characters in base `Base`, which is from 2 to 16. decode accepts
// blanks before the digits, and blanks and NULs after them. A field that contains only blanks and
// NULs is 0. Anything else is malformed, including a number that does not fit `T`. encode writes
// lower-case digits at the position that `As` specifies. If there are too many digits, encode
// returns does_not_fit.
template <class T, std::size_t N, unsigned Base, digits_as As> struct digits_of {
  static_assert(std::is_unsigned_v<T> && Base >= 2 && Base <= 16 && N != 0,
                "digits<&S::m, n, base> needs an unsigned member, at least one character, and a "
                "base from 2 to 16");
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
    const std::size_t n = detail::digits_in<Base>(v);
    const std::size_t end = As == digits_as::left ? n : N - trailing;
    constexpr bool zeros = trailing != 0 || As == digits_as::zeros;
    for (std::size_t i = 0; i < N; ++i) p[i] = static_cast<byte>(zeros ? '0' : ' ');
    if constexpr (trailing != 0) p[N - trailing] = byte{0};
    if constexpr (trailing == 2) p[N - 1] = static_cast<byte>(' ');
    const std::size_t kept = n < end ? n : end;
    detail::store_digits<Base>(v, kept, p + (end - kept));
  }
  static constexpr bool fits(T v) noexcept { return detail::digits_in<Base>(v) <= N - trailing; }
  static constexpr layout_how how{.as = read_as::digits, .number = Base};
  static constexpr text type_name() noexcept { return detail::name_of_digits<Base>(); }

 private:
  // Number of terminating characters (NUL and blank) after the digits.
  static constexpr std::size_t trailing = As == digits_as::zeros_nul         ? 1
                                          : As == digits_as::zeros_nul_blank ? 2
                                                                             : 0;
  struct parsed {
    T value = 0;
    bool good = true;
  };
  static constexpr parsed parse(const byte* p) noexcept {
    const auto at = [p](std::size_t i) { return std::to_integer<unsigned char>(p[i]); };
    parsed r{};
    std::size_t i = 0;
    while (i < N && at(i) == ' ') ++i;
    for (; i < N && detail::digit_of(at(i)) < Base; ++i) {
      const unsigned d = detail::digit_of(at(i));
      if (r.value > (std::numeric_limits<T>::max() - d) / Base) return {0, false};
      r.value = static_cast<T>(r.value * Base + d);
    }
    for (; i < N; ++i)
      if (at(i) != ' ' && at(i) != 0) return {0, false};
    return r;
  }
};

namespace detail {
template <class T, unsigned Base, char End>
inline constexpr bool has_digits_until = is_integer<T>&& Base >= 2 && Base <= 16 && End != '-' &&
                                         digit_of(static_cast<unsigned char>(End)) >= Base;
// Compile error about digits. Compilers print the template argument, which contains the member's
// name.
template <class Name> consteval bool this_member_cannot_be_digits() {
  static_assert(never<Name>,
                "digits_until<> needs an integer, a base from 2 to 16, and a last character that "
                "is not a digit of this base or a minus sign");
  return true;
}
template <auto P, unsigned Base, char End> consteval bool digits_are_good() {
  if constexpr (has_digits_until<member_t<P>, Base, End>)
    return true;
  else
    return this_member_cannot_be_digits<quoted_t<label_of<pointed<P>>>>();
}
}  // namespace detail

// Number stored as digits in base `Base`, which is from 2 to 16, followed by the character `End`.
// A negative number begins with a minus sign. encode writes lower-case digits without leading
// zeros. decode rejects anything else as malformed, because encode could not reproduce the bytes,
// and a number that does not fit `T`.
template <class T, unsigned Base, char End> struct digits_until_of {
  static_assert(detail::has_digits_until<T, Base, End>);
  using value_type = T;
  static constexpr bool variable_length = true;
  static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const auto at = [in](std::size_t i) { return std::to_integer<unsigned char>(in[i]); };
    const std::size_t first = std::is_signed_v<T> && !in.empty() && at(0) == '-' ? 1 : 0;
    const bits most =
        static_cast<bits>(static_cast<bits>(std::numeric_limits<T>::max()) + (first != 0 ? 1 : 0));
    bits r = 0;
    std::size_t i = first;
    for (; i < in.size() && at(i) != static_cast<unsigned char>(End); ++i) {
      const unsigned d = detail::digit_of(at(i));
      const bool leading_zero = i != first && r == 0, upper = at(i) >= 'A' && at(i) <= 'F';
      if (d >= Base || leading_zero || upper || r > (most - d) / Base) return {0, errc::malformed};
      r = static_cast<bits>(r * Base + d);
    }
    if (i == in.size()) return {0, errc::truncated};
    if (i == first || (first != 0 && r == 0)) return {0, errc::malformed};
    v = static_cast<T>(first != 0 ? static_cast<bits>(bits{0} - r) : r);
    return {i + 1};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept {
    return detail::digits_in<Base>(magnitude(v)) + (v < T{} ? 2 : 1);
  }
  static constexpr byte* store(T v, byte* p) noexcept {
    if (v < T{}) *p++ = static_cast<byte>('-');
    const std::size_t n = detail::digits_in<Base>(magnitude(v));
    detail::store_digits<Base>(magnitude(v), n, p);
    p[n] = static_cast<byte>(End);
    return p + n + 1;
  }
  static constexpr layout_how how{.as = read_as::digits_until, .number = Base, .end = End};
  static constexpr text type_name() noexcept { return detail::name_of_digits<Base>(); }
  static constexpr text sizes() noexcept {
    text t = std::string_view("2 to ");
    return t += std::size_t{detail::digits_in<Base>(std::numeric_limits<bits>::max()) +
                            (std::is_signed_v<T> ? 2 : 1)};
  }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr bits magnitude(T v) noexcept {
    return static_cast<bits>(v < T{} ? bits{0} - static_cast<bits>(v) : static_cast<bits>(v));
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
      // `e` can wrap below 0. Adding the bias later undoes the wrap.
      for (e = 1; (f >> fraction) == 0; f <<= 1) --e;
      f &= (1U << fraction) - 1;
    }
    return std::bit_cast<float>(sign | (e + 127 - bias) << 23 | f << (23 - fraction));
  }
  // Returns the 16-bit form of `v`. Low fraction bits that do not fit are dropped.
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

namespace detail {
template <class Name, unsigned Bits> consteval bool this_integer_has_another_width() {
  static_assert(never<Name>,
                "integer<&S::m, bits> needs a multiple of 8 that is less than the width of the "
                "member, such as 24; a width inside a byte is a slice of bit_slices<>");
  return true;
}
template <auto P, unsigned Bits> consteval bool integer_has_width() {
  if constexpr (Bits % 8 == 0 && Bits != 0 && Bits < 8 * sizeof(member_t<P>))
    return true;
  else
    return this_integer_has_another_width<quoted_t<label_of<pointed<P>>>, Bits>();
}
}  // namespace detail

// Field that stores member `P` in `Bits` bits, in the record's byte order. `Bits` is a multiple of
// 8, and less than the width of the member's type.
template <auto P, unsigned Bits> struct integer : field<P> {
  static_assert(detail::integer_has_width<P, Bits>());
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>,
                          integer_of<member_t<P>, Bits / 8, Policy::byte_order>>;
};
template <auto P> struct both_orders : field<P, both_orders_of<member_t<P>>> {};
template <auto P, std::size_t N, unsigned Base, digits_as As = digits_as::zeros_nul> struct digits
    : field<P, digits_of<member_t<P>, N, Base, As>> {};
template <auto P, unsigned Base, char End> struct digits_until
    : field<P, digits_until_of<member_t<P>, Base, End>> {
  static_assert(detail::digits_are_good<P, Base, End>());
};
template <auto P> struct float16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<5, Policy::byte_order>>;
};
template <auto P> struct bfloat16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<8, Policy::byte_order>>;
};

}  // namespace tracecodec::wire
