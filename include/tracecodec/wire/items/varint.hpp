// Integers whose number of bytes depends on the value: leb128, sleb128, zigzag, vlq.
#pragma once
#include <type_traits>

#include "items.hpp"

namespace tracecodec::wire {

namespace detail {
template <class T> inline constexpr unsigned bits_of = 8 * sizeof(T);
// Largest number of 7-bit groups that a value of type `T` needs.
template <class T> inline constexpr unsigned groups_of = (bits_of<T> + 6) / 7;

// Returns the range of sizes as text, such as "1 to 10".
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
}  // namespace detail

// Unsigned LEB128: groups of 7 bits, least significant first, with bit 7 set in all groups but the
// last (DWARF, section 7.6). A number is malformed if it does not fit `T` or has more groups than
// `T` needs.
template <class T> struct uleb128_of {
  static_assert(std::is_unsigned_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool scanned = true;
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

// Signed LEB128: 7-bit groups of a two's complement number. Bit 6 of the last group is the sign.
template <class T> struct sleb128_of {
  static_assert(std::is_signed_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool scanned = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const byte* q = in.data();
    const byte* const end = q + in.size();
    bits r = 0;
    for (unsigned shift = 0; q != end; shift += 7) {
      const auto b = std::to_integer<bits>(*q++);
      const bits low = b & 0x7f;
      if (shift + 7 > width) [[unlikely]] {
        // All bits above the sign bit must equal the sign bit.
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

// Signed integer stored as the unsigned LEB128 number of its index in 0, -1, 1, -2, 2, ...
// (Protocol Buffers' sint32 and sint64).
template <class T> struct zigzag_of {
  static_assert(std::is_signed_v<T>, "zigzag needs a signed integer");
  using value_type = T;
  static constexpr bool scanned = true;
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

// Variable-length quantity: groups of 7 bits, most significant first, with bit 7 set in all groups
// but the last (Standard MIDI Files).
template <class T> struct vlq_of {
  static_assert(std::is_unsigned_v<T>, "vlq needs an unsigned integer");
  using value_type = T;
  static constexpr bool scanned = true;
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

// Members in the encodings above.
template <auto P> struct leb128 : field<P, uleb128_of<member_t<P>>> {};
template <auto P> struct sleb128 : field<P, sleb128_of<member_t<P>>> {};
template <auto P> struct zigzag : field<P, zigzag_of<member_t<P>>> {};
template <auto P> struct vlq : field<P, vlq_of<member_t<P>>> {};

}  // namespace tracecodec::wire
