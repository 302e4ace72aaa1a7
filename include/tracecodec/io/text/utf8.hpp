// Decodes UTF-8 one character at a time. Identifies characters that are invisible on a screen or
// affect other text.
#pragma once
#include <algorithm>
#include <boost/nowide/utf/utf.hpp>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::io {

// Code point and its size in bytes. A size of 0 marks an invalid sequence.
struct character {
  char32_t number;
  std::size_t size;
};
namespace detail {
inline character wide_character(std::string_view s) noexcept;
}  // namespace detail

// Returns the UTF-8 character at the front of `s`, which must not be empty. A stray or missing
// continuation byte, a surrogate, an overlong form and a value above U+10FFFF are invalid.
inline character front_character(std::string_view s) noexcept {
  const auto first = static_cast<unsigned char>(s[0]);
  return first < 0x80 ? character{first, 1} : detail::wide_character(s);
}

// Returns true if the character is visible on a screen. Returns false for control characters, which
// affect the terminal, and for characters that change the writing direction or end a line. Also
// returns false for characters of zero width, which can make two different names look alike.
constexpr bool is_shown(char32_t c) noexcept {
  if (c < 0xA0) return c >= 0x20 && c < 0x7F;
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c != 0xAD && c != 0x61C && c != 0x180E && !within(0x200B, 0x200F) &&
         !within(0x2028, 0x202E) && !within(0x2060, 0x206F) && c != 0xFEFF &&
         !within(0xFFF9, 0xFFFB) && !within(0xE0000, 0xE007F);
}

// U+FFFD, the replacement for bytes that are not UTF-8.
inline constexpr std::string_view no_character = "\xEF\xBF\xBD";

// Appends `s` to `out`, except for characters that a callback handles. Calls other(c) for each
// character below 0x80 for which special(c) is true. Calls wide(text of the character, code
// point) for each character from 0x80 on. Each byte that is not part of a UTF-8 character
// becomes no_character. Returns false if `s` contains such a byte.
template <class Out, class Special, class Other, class Wide>
bool add_utf8(Out& out, std::string_view s, Special special, Other other, Wide wide) {
  const auto plain = [&special](char c) {
    return static_cast<unsigned char>(c) < 0x80 && !special(c);
  };
  for (bool whole = true;;) {
    const auto n =
        static_cast<std::size_t>(std::find_if_not(s.begin(), s.end(), plain) - s.begin());
    out += s.substr(0, n);
    s.remove_prefix(n);
    if (s.empty()) return whole;
    auto [number, size] = front_character(s);
    if (size == 1) {
      other(s[0]);
    } else if (size != 0) {
      wide(s.substr(0, size), number);
    } else {
      out += no_character;
      whole = false;
      size = 1;
    }
    s.remove_prefix(size);
  }
}
// Appends `s` to `out` like the other overload, but also appends the characters from 0x80 on.
template <class Out, class Special, class Other>
bool add_utf8(Out& out, std::string_view s, Special special, Other other) {
  return add_utf8(out, s, special, other, [&out](std::string_view c, char32_t) { out += c; });
}

// Appends the lowest `digits` hexadecimal digits of `v`.
template <class Out> void add_hex_digits(Out& out, char32_t v, int digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  while (digits-- != 0) out += hex[v >> 4 * digits & 15U];
}

// Appends `s` in a form that is visible on one line of a screen. A character for which is_shown()
// is false becomes an escape such as \x1b, \u202e or \U000e0041. A byte that is not UTF-8 becomes
// an escape such as \xff. A backslash is not escaped, because file names on Windows contain
// backslashes.
template <class Out> void add_shown(Out& out, std::string_view s) {
  while (!s.empty()) {
    const auto [number, size] = front_character(s);
    const std::string_view text = s.substr(0, size == 0 ? 1 : size);
    const char32_t c = size == 0 ? static_cast<unsigned char>(s[0]) : number;
    if (size != 0 && is_shown(c)) {
      out += text;
    } else if (size <= 1) {
      out += std::string_view("\\x");
      add_hex_digits(out, c, 2);
    } else {
      out += std::string_view(c > 0xFFFF ? "\\U" : "\\u");
      add_hex_digits(out, c, c > 0xFFFF ? 8 : 4);
    }
    s.remove_prefix(text.size());
  }
}

namespace detail {
using utf8_traits = boost::nowide::utf::utf_traits<char>;
using utf16_traits = boost::nowide::utf::utf_traits<char16_t>;

constexpr bool is_character(boost::nowide::utf::code_point c) noexcept {
  return c != boost::nowide::utf::illegal && c != boost::nowide::utf::incomplete;
}

inline character wide_character(std::string_view s) noexcept {
  const char* p = s.data();
  const auto c = utf8_traits::decode(p, s.data() + s.size());
  if (!is_character(c)) return {0, 0};
  return {c, static_cast<std::size_t>(p - s.data())};
}
}  // namespace detail

// Returns `s` as UTF-16, or nullopt if `s` is not UTF-8.
inline std::optional<std::u16string> utf16_of(std::string_view s) {
  std::u16string out;
  while (!s.empty()) {
    const auto [number, size] = front_character(s);
    if (size == 0) return std::nullopt;
    detail::utf16_traits::encode(number, std::back_inserter(out));
    s.remove_prefix(size);
  }
  return out;
}

// Returns `s` as UTF-8, with U+FFFD for each unpaired surrogate.
inline std::string utf8_of(std::u16string_view s) {
  std::string out;
  out.reserve(s.size());
  for (const char16_t *p = s.data(), *const end = p + s.size(); p != end;) {
    const char16_t* next = p;
    const auto c = detail::utf16_traits::decode(next, end);
    if (detail::is_character(c)) {
      detail::utf8_traits::encode(c, std::back_inserter(out));
      p = next;
    } else {
      out += no_character;
      ++p;
    }
  }
  return out;
}

// Returns UTF-16 code units, which are any range of 16-bit numbers, as UTF-8.
template <class Units> std::string utf8_of_units(const Units& units) {
  std::u16string s;
  s.reserve(units.size());
  for (const auto unit : units) s += static_cast<char16_t>(unit);
  return utf8_of(s);
}

// Returns `s` with no_character for each byte that is not part of a UTF-8 character, so that
// json_string() accepts the result. This conversion is needed because a file name can contain any
// bytes.
inline std::string as_utf8(std::string_view s) {
  std::string out;
  add_utf8(
      out, s, [](char) { return false; }, [](char) {});
  return out;
}

}  // namespace tracecodec::io
