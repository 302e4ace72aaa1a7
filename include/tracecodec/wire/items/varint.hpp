// Integers whose number of bytes depends on the value: leb128, sleb128, zigzag, vlq.
#pragma once
#include <type_traits>

#include "items.hpp"

namespace tracecodec::wire {

namespace detail {
template <class T> inline constexpr unsigned bits_of = 8 * sizeof(T);
// Maximum number of 7-bit groups in a value of type `T`.
template <class T> inline constexpr unsigned groups_of = (bits_of<T> + 6) / 7;

// Returns the range of sizes in bytes as text, such as "1 to 10".
template <class T> constexpr text sizes_of_groups() noexcept {
  text t = std::string_view("1 to ");
  return t += groups_of<T>;
}
template <class T> constexpr text named(std::string_view kind) noexcept {
  text t = kind;
  return t += bits_of<T>;
}

// Reads an unsigned LEB128 number of up to groups_of<T> bytes from the front of `in`. Returns
// malformed if the number does not fit `T`.
template <class T>
TRACECODEC_INLINE constexpr scan_result scan_uleb(T& v, std::span<const byte> in) noexcept {
  const std::size_t most = in.size();
  if (most == 0) return {0, errc::truncated};
  T r = std::to_integer<T>(in[0]);
  // Fast path: most numbers are small.
  if (r < 0x80) {
    v = r;
    return {1};
  }
  r &= 0x7f;
  unsigned shift = 7;
  for (std::size_t i = 1; i != most; shift += 7) {
    const auto b = std::to_integer<T>(in[i++]);
    const T low = b & 0x7f;
    if (shift + 7 > bits_of<T>) [[unlikely]]
      if (low >> (bits_of<T> - shift) != 0 || b > 0x7f) return {0, errc::malformed};
    r = static_cast<T>(r | static_cast<T>(low << shift));
    if (b < 0x80) {
      v = r;
      return {i};
    }
  }
  return {0, errc::truncated};
}
template <class T> constexpr extent_type uleb_size(T v) noexcept {
  extent_type n = 1;
  for (; v > 0x7f; v = static_cast<T>(v >> 7)) ++n;
  return n;
}
template <class T> constexpr byte* store_uleb(T v, byte* p) noexcept {
  for (; v > 0x7f; v = static_cast<T>(v >> 7)) *p++ = static_cast<byte>((v & 0x7f) | 0x80);
  *p++ = static_cast<byte>(v);
  return p;
}

// LEB128 number in exactly `N` bytes, the last of which may be unnecessary. Linkers write such
// numbers so that they can store another value in the same bytes later.
template <class T, std::size_t N> struct leb_in_bytes {
  static_assert(N <= groups_of<T>, "a LEB128 number has at most one byte for 7 bits of its value");
  using value_type = T;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr order byte_order = order::native;
  static constexpr bool has_order = false;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = true;
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept {
    unsigned_type v = 0;
    for (std::size_t i = 0; i < N; ++i)
      v = static_cast<unsigned_type>(v | static_cast<unsigned_type>(group(p[i]) << (7 * i)));
    if constexpr (std::is_signed_v<T> && 7 * N < bits_of<T>) {
      constexpr auto sign = static_cast<unsigned_type>(unsigned_type{1} << (7 * N - 1));
      v = static_cast<unsigned_type>((v ^ sign) - sign);
    }
    return static_cast<T>(v);
  }
  TRACECODEC_INLINE static constexpr void store(T v, byte* p) noexcept {
    for (std::size_t i = 0; i < N; ++i, v = static_cast<T>(v >> 7))
      p[i] = static_cast<byte>((v & 0x7f) | (i + 1 == N ? 0 : 0x80));
  }
  // Returns malformed if the number does not have exactly `N` bytes or does not fit `T`.
  static constexpr errc accepts(const byte* p) noexcept {
    for (std::size_t i = 0; i < N; ++i)
      if ((std::to_integer<unsigned>(p[i]) > 0x7f) != (i + 1 != N)) return errc::malformed;
    if constexpr (7 * N > bits_of<T>) {
      // Bits of the last group above the value's most significant bit. They must be 0, or equal to
      // the sign.
      constexpr unsigned kept = bits_of<T> - 7 * (N - 1);
      const auto last = std::to_integer<unsigned>(p[N - 1]);
      if constexpr (std::is_signed_v<T>) {
        const unsigned rest = last >> (kept - 1);
        if (rest != 0 && rest != 0x7fU >> (kept - 1)) return errc::malformed;
      } else {
        if (last >> kept != 0) return errc::malformed;
      }
    }
    return errc::ok;
  }
  static constexpr bool fits(T v) noexcept {
    if constexpr (7 * N >= bits_of<T>)
      return true;
    else if constexpr (std::is_signed_v<T>)
      return v >> (7 * N - 1) == 0 || v >> (7 * N - 1) == -1;
    else
      return v >> (7 * N) == 0;
  }
  static constexpr layout_how how{.as = std::is_signed_v<T> ? read_as::sleb128 : read_as::uleb128};
  static constexpr text type_name() noexcept {
    return named<T>(std::is_signed_v<T> ? "sleb" : "uleb");
  }

 private:
  using unsigned_type = std::make_unsigned_t<T>;
  static constexpr unsigned_type group(byte b) noexcept {
    return static_cast<unsigned_type>(std::to_integer<unsigned_type>(b) & 0x7f);
  }
};
}  // namespace detail

// Unsigned LEB128: 7-bit groups, least significant first, with bit 7 set in all groups except the
// last (DWARF, section 7.6). A number is malformed if it does not fit `T`, or has more groups than
// `T` needs. decode accepts unnecessary groups of zeros, and encode does not write them. If `N` is
// not 0, the number has exactly `N` bytes, and comes back byte for byte.
template <class T, std::size_t N = 0> struct uleb128_of : detail::leb_in_bytes<T, N> {
  static_assert(std::is_unsigned_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
};
template <class T> struct uleb128_of<T, 0> {
  static_assert(std::is_unsigned_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool variable_length = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    return detail::scan_uleb(v, in);
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return detail::uleb_size(v); }
  static constexpr byte* store(T v, byte* p) noexcept { return detail::store_uleb(v, p); }
  static constexpr layout_how how{.as = read_as::uleb128};
  static constexpr text type_name() noexcept { return detail::named<T>("uleb"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<T>(); }
};

// Signed LEB128: 7-bit groups of a two's complement number. Bit 6 of the last group is the sign. If
// `N` is not 0, the number has exactly `N` bytes.
template <class T, std::size_t N = 0> struct sleb128_of : detail::leb_in_bytes<T, N> {
  static_assert(std::is_signed_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
};
template <class T> struct sleb128_of<T, 0> {
  static_assert(std::is_signed_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool variable_length = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const byte* q = in.data();
    const byte* const end = q + in.size();
    bits r = 0;
    for (unsigned shift = 0; q != end; shift += 7) {
      const auto b = std::to_integer<bits>(*q++);
      const bits low = b & 0x7f;
      if (shift + 7 > width) [[unlikely]] {
        // All bits above the sign bit must be equal to the sign bit.
        const unsigned kept = width - shift;
        const bits rest = low >> (kept - 1);
        if (b > 0x7f || (rest != 0 && rest != bits{0x7f} >> (kept - 1)))
          return {0, errc::malformed};
      }
      r = static_cast<bits>(r | static_cast<bits>(low << shift));
      if (b < 0x80) {
        if (shift + 7 < width && (b & 0x40) != 0)
          r = static_cast<bits>(r | static_cast<bits>(static_cast<bits>(~bits{0}) << (shift + 7)));
        v = static_cast<T>(r);
        return {static_cast<std::size_t>(q - in.data())};
      }
    }
    return {0, errc::truncated};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept {
    std::uint64_t n = 1;
    for (; v < -64 || v > 63; v = static_cast<T>(v >> 7)) ++n;
    return n;
  }
  static constexpr byte* store(T v, byte* p) noexcept {
    for (; v < -64 || v > 63; v = static_cast<T>(v >> 7))
      *p++ = static_cast<byte>((v & 0x7f) | 0x80);
    *p++ = static_cast<byte>(v & 0x7f);
    return p;
  }
  static constexpr layout_how how{.as = read_as::sleb128};
  static constexpr text type_name() noexcept { return detail::named<T>("sleb"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<T>(); }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr unsigned width = detail::bits_of<T>;
};

// Signed integer stored as its index in the sequence 0, -1, 1, -2, 2, ... (Protocol Buffers' sint32
// and sint64). The index is an unsigned LEB128 number.
template <class T> struct zigzag_of {
  static_assert(std::is_signed_v<T>, "zigzag needs a signed integer");
  using value_type = T;
  static constexpr bool variable_length = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    bits u = 0;
    const scan_result r = detail::scan_uleb(u, in);
    if (r) v = static_cast<T>((u >> 1) ^ (bits{0} - (u & 1)));
    return r;
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return detail::uleb_size(folded(v)); }
  static constexpr byte* store(T v, byte* p) noexcept { return detail::store_uleb(folded(v), p); }
  static constexpr layout_how how{.as = read_as::zigzag};
  static constexpr text type_name() noexcept { return detail::named<T>("zigzag"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<bits>(); }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr bits folded(T v) noexcept {
    return static_cast<bits>((static_cast<bits>(v) << 1) ^
                             (v < 0 ? static_cast<bits>(~bits{0}) : bits{0}));
  }
};

// Variable-length quantity: 7-bit groups, most significant first, with bit 7 set in all groups
// except the last (Standard MIDI Files).
template <class T> struct vlq_of {
  static_assert(std::is_unsigned_v<T>, "vlq needs an unsigned integer");
  using value_type = T;
  static constexpr bool variable_length = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const byte* q = in.data();
    const byte* const end = q + in.size();
    T r = 0;
    for (unsigned n = 0; q != end; ++n) {
      const auto b = std::to_integer<T>(*q++);
      if (n == detail::groups_of<T> || r >> (detail::bits_of<T> - 7) != 0)
        return {0, errc::malformed};
      r = static_cast<T>(static_cast<T>(r << 7) | (b & 0x7f));
      if (b < 0x80) {
        v = r;
        return {static_cast<std::size_t>(q - in.data())};
      }
    }
    return {0, errc::truncated};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return detail::uleb_size(v); }
  static constexpr byte* store(T v, byte* p) noexcept {
    const auto n = static_cast<unsigned>(written(v));
    for (unsigned i = n; i-- != 0; v = static_cast<T>(v >> 7))
      p[i] = static_cast<byte>((v & 0x7f) | (i + 1 == n ? 0 : 0x80));
    return p + n;
  }
  static constexpr layout_how how{.as = read_as::vlq};
  static constexpr text type_name() noexcept { return detail::named<T>("vlq"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<T>(); }
};

namespace detail {
template <class Name> consteval bool this_member_has_fewer_bits_than_its_bytes() {
  static_assert(never<Name>,
                "a LEB128 number has at most one byte for 7 bits of its member: 5 bytes for "
                "std::uint32_t, 10 for std::uint64_t");
  return true;
}
template <auto P, std::size_t N> consteval bool fills_bytes() {
  if constexpr (N <= groups_of<member_t<P>>)
    return true;
  else
    return this_member_has_fewer_bits_than_its_bytes<quoted_t<label_of<pointed<P>>>>();
}
template <class Name, class T> consteval bool this_member_does_not_suit_its_varint() {
  static_assert(never<Name>,
                "leb128 and vlq need a member that is an unsigned integer; sleb128 and zigzag need "
                "a signed one");
  return true;
}
template <auto P, bool Signed> consteval bool member_suits_varint() {
  using type = member_t<P>;
  if constexpr (is_integer<type> && std::is_signed_v<type> == Signed)
    return true;
  else
    return this_member_does_not_suit_its_varint<quoted_t<label_of<pointed<P>>>, type>();
}
}  // namespace detail

// Fields that store member `P` in one of the encodings above.
template <auto P, std::size_t N = 0> struct leb128 : field<P, uleb128_of<member_t<P>, N>> {
  static_assert(detail::member_suits_varint<P, false>() && detail::fills_bytes<P, N>());
};
template <auto P, std::size_t N = 0> struct sleb128 : field<P, sleb128_of<member_t<P>, N>> {
  static_assert(detail::member_suits_varint<P, true>() && detail::fills_bytes<P, N>());
};
template <auto P> struct zigzag : field<P, zigzag_of<member_t<P>>> {
  static_assert(detail::member_suits_varint<P, true>());
};
template <auto P> struct vlq : field<P, vlq_of<member_t<P>>> {
  static_assert(detail::member_suits_varint<P, false>());
};

}  // namespace tracecodec::wire
