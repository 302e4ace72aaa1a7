// Records of variable length, in the library's description language and hand-written for
// speed. decode and encode return the number of bytes read or written, or 0 if the span is too
// short or a value is invalid.
#pragma once
#include <bit>
#include <cstring>
#include <span>
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/items/varint.hpp>
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/rules/choice.hpp>
#include <tracecodec/wire/with_order.hpp>

namespace words {

namespace wire = tracecodec::wire;
using bytes_in = std::span<const std::byte>;
using bytes_out = std::span<std::byte>;
using chars = wire::array_view<wire::character>;

// Record that resembles a line of a line-number program.
struct step {
  std::uint64_t address;
  std::int64_t line;
  std::uint32_t column;
};
using varints = wire::record<wire::fields<wire::leb128<&step::address>, wire::sleb128<&step::line>,
                                          wire::leb128<&step::column>>>;
struct varints_by_hand {
  using value_type = step;
  template <class T>
  static bool read(const std::byte*& p, const std::byte* end, T& v, bool sign) noexcept {
    T r = 0;
    unsigned shift = 0;
    while (p != end) {
      const auto b = std::to_integer<std::uint8_t>(*p++);
      const T low = b & 0x7f;
      if (shift + 7 > 8 * sizeof(T)) [[unlikely]] {
        const unsigned kept = 8 * sizeof(T) - shift;
        const T over = static_cast<T>(low >> (sign ? kept - 1 : kept));
        if (b >= 0x80 || (over != 0 && !(sign && over == T{0x7f} >> (kept - 1)))) return false;
      }
      r |= static_cast<T>(low << shift);
      shift += 7;
      if (b < 0x80) {
        if (sign && (b & 0x40) != 0 && shift < 8 * sizeof(T)) r |= ~T{0} << shift;
        v = r;
        return true;
      }
    }
    return false;
  }
  static std::size_t decode(bytes_in in, step& s) noexcept {
    const std::byte* p = in.data();
    const std::byte* const end = p + in.size();
    std::uint64_t line = 0;
    if (!read(p, end, s.address, false) || !read(p, end, line, true) ||
        !read(p, end, s.column, false))
      return 0;
    s.line = static_cast<std::int64_t>(line);
    return static_cast<std::size_t>(p - in.data());
  }
  template <class T> static std::size_t size(T v) noexcept {
    std::size_t n = 1;
    for (; v > 0x7f; v >>= 7) ++n;
    return n;
  }
  template <class T> static void write(T v, std::byte*& p) noexcept {
    for (; v > 0x7f; v >>= 7) *p++ = static_cast<std::byte>((v & 0x7f) | 0x80);
    *p++ = static_cast<std::byte>(v);
  }
  static std::size_t encode(const step& s, bytes_out out) noexcept {
    std::size_t n = size(s.address) + size(s.column) + 1;
    for (std::int64_t v = s.line; v < -64 || v > 63; v >>= 7) ++n;
    if (out.size() < n) [[unlikely]]
      return 0;
    std::byte* p = out.data();
    write(s.address, p);
    std::int64_t v = s.line;
    for (; v < -64 || v > 63; v >>= 7) *p++ = static_cast<std::byte>((v & 0x7f) | 0x80);
    *p++ = static_cast<std::byte>(v & 0x7f);
    write(s.column, p);
    return n;
  }
};

// Text after its length, and text that ends with a NUL.
struct names {
  chars name, path;
  std::uint32_t id;
};
using texts = wire::record<wire::fields<wire::prefixed<&names::name, std::uint16_t>,
                                        wire::terminated<&names::path>, wire::field<&names::id>>>;
struct texts_by_hand {
  using value_type = names;
  static std::size_t decode(bytes_in in, names& s) noexcept {
    const std::byte* p = in.data();
    std::size_t left = in.size();
    if (left < 2) return 0;
    std::uint16_t n = 0;
    std::memcpy(&n, p, 2);
    p += 2, left -= 2;
    if (left < n) return 0;
    s.name = chars(p, n);
    p += n, left -= n;
    if (left == 0) return 0;
    const auto* const end = static_cast<const std::byte*>(std::memchr(p, 0, left));
    if (end == nullptr) return 0;
    s.path = chars(p, static_cast<std::size_t>(end - p));
    left -= static_cast<std::size_t>(end + 1 - p);
    if (left < 4) return 0;
    std::memcpy(&s.id, end + 1, 4);
    return in.size() - left + 4;
  }
  static std::size_t encode(const names& s, bytes_out out) noexcept {
    const std::size_t a = s.name.size(), b = s.path.size();
    if (a > 0xffff || (b != 0 && std::memchr(s.path.bytes().data(), 0, b) != nullptr)) return 0;
    if (out.size() < 2 + a + b + 1 + 4) return 0;
    std::byte* p = out.data();
    const auto n = static_cast<std::uint16_t>(a);
    std::memcpy(p, &n, 2);
    p += 2;
    if (a != 0) std::memcpy(p, s.name.bytes().data(), a);
    p += a;
    if (b != 0) std::memcpy(p, s.path.bytes().data(), b);
    p += b;
    *p++ = std::byte{0};
    std::memcpy(p, &s.id, 4);
    return 2 + a + b + 1 + 4;
  }
};

// Record with one of three shapes.
enum class shape : std::uint8_t { point, text, count };
struct drawn {
  shape what;
  std::uint32_t x, y;
  chars text;
  std::uint64_t n;
};
using variant = wire::record<wire::fields<
    wire::field<&drawn::what>,
    wire::choice<&drawn::what,
                 wire::on<shape::point, wire::field<&drawn::x>, wire::field<&drawn::y>>,
                 wire::on<shape::text, wire::prefixed<&drawn::text, std::uint8_t>>,
                 wire::on<shape::count, wire::field<&drawn::n>>>>>;
struct variant_by_hand {
  using value_type = drawn;
  static std::size_t decode(bytes_in in, drawn& s) noexcept {
    const std::byte* const p = in.data();
    if (in.empty()) return 0;
    s.what = static_cast<shape>(*p);
    switch (s.what) {
      case shape::point:
        if (in.size() < 9) return 0;
        std::memcpy(&s.x, p + 1, 4);
        std::memcpy(&s.y, p + 5, 4);
        return 9;
      case shape::text: {
        if (in.size() < 2) return 0;
        const auto n = std::to_integer<std::size_t>(p[1]);
        if (in.size() < 2 + n) return 0;
        s.text = chars(p + 2, n);
        return 2 + n;
      }
      case shape::count:
        if (in.size() < 9) return 0;
        std::memcpy(&s.n, p + 1, 8);
        return 9;
    }
    return 0;
  }
  static std::size_t encode(const drawn& s, bytes_out out) noexcept {
    std::byte* const p = out.data();
    switch (s.what) {
      case shape::point:
        if (out.size() < 9) return 0;
        *p = static_cast<std::byte>(s.what);
        std::memcpy(p + 1, &s.x, 4);
        std::memcpy(p + 5, &s.y, 4);
        return 9;
      case shape::text: {
        const std::size_t n = s.text.size();
        if (n > 0xff || out.size() < 2 + n) return 0;
        *p = static_cast<std::byte>(s.what);
        p[1] = static_cast<std::byte>(n);
        if (n != 0) std::memcpy(p + 2, s.text.bytes().data(), n);
        return 2 + n;
      }
      case shape::count:
        if (out.size() < 9) return 0;
        *p = static_cast<std::byte>(s.what);
        std::memcpy(p + 1, &s.n, 8);
        return 9;
    }
    return 0;
  }
};

// ELF section header. The file states its byte order.
struct section {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
inline volatile bool big = true;  // byte order that the file states
template <wire::order O> using section_in = wire::record<section, O>;
struct ordered_by_hand {
  using value_type = section;
  static std::uint32_t swap(std::uint32_t v) noexcept { return __builtin_bswap32(v); }
  static std::uint64_t swap(std::uint64_t v) noexcept { return __builtin_bswap64(v); }
  static void swap(const section& s, section& t) noexcept {
    t = {swap(s.name), swap(s.type), swap(s.flags), swap(s.address),   swap(s.offset),
         swap(s.size), swap(s.link), swap(s.info),  swap(s.alignment), swap(s.entry_size)};
  }
  static std::size_t decode(bytes_in in, section& s) noexcept {
    if (in.size() < 64) [[unlikely]]
      return 0;
    if (big == (std::endian::native == std::endian::big)) {
      std::memcpy(&s, in.data(), 64);
    } else {
      section t;
      std::memcpy(&t, in.data(), 64);
      swap(t, s);
    }
    return 64;
  }
  static std::size_t encode(const section& s, bytes_out out) noexcept {
    if (out.size() < 64) [[unlikely]]
      return 0;
    if (big == (std::endian::native == std::endian::big)) {
      std::memcpy(out.data(), &s, 64);
    } else {
      section t;
      swap(s, t);
      std::memcpy(out.data(), &t, 64);
    }
    return 64;
  }
};

}  // namespace words
