// Writing JSON strings. Light: apart from simdjson, so that writers need not include it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tracecodec::io {

namespace detail {
// Bytes of the UTF-8 character at the front of `s`, which is not empty; 0 if it is none: a stray or
// missing continuation byte, a surrogate, an overlong form, more than U+10FFFF.
constexpr std::size_t utf8_size(std::string_view s) noexcept {
  const auto at = [s](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  const std::size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || s.size() < n) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  const unsigned second = at(1);
  const bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                   (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return bad ? 0 : n;
}
}  // namespace detail

// What stands for bytes that are no UTF-8: U+FFFD.
inline constexpr std::string_view no_character = "\xEF\xBF\xBD";

// Appends `s` to `out`, with no_character for each byte that is part of no UTF-8 character. Of the
// characters below 0x80 those for which special(c) are not appended: other(c) may do so. False if
// a byte was replaced.
template <class Out, class Special, class Other>
bool add_utf8(Out& out, std::string_view s, Special special, Other other) {
  const auto plain = [&special](char c) {
    return static_cast<unsigned char>(c) < 0x80 && !special(c);
  };
  for (bool whole = true;;) {
    const auto n =
        static_cast<std::size_t>(std::find_if_not(s.begin(), s.end(), plain) - s.begin());
    out += s.substr(0, n);
    s.remove_prefix(n);
    if (s.empty()) return whole;
    std::size_t size = detail::utf8_size(s);
    if (size == 1) {
      other(s[0]);
    } else if (size != 0) {
      out += s.substr(0, size);
    } else {
      out += no_character;
      whole = false;
      size = 1;
    }
    s.remove_prefix(size);
  }
}

// Appends `s` as a JSON string with its quotes: quotes, backslashes and control characters escaped,
// U+FFFD for what is no UTF-8. False if there was such.
template <class Out> bool add_json_string(Out& out, std::string_view s) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  const bool whole = add_utf8(
      out, s, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; },
      [&out, hex](char c) {
        if (c == '"' || c == '\\') {
          out += '\\';
          out += c;
        } else {
          out += std::string_view("\\u00");
          out += hex[static_cast<unsigned char>(c) >> 4U];
          out += hex[static_cast<unsigned char>(c) & 15U];
        }
      });
  out += '"';
  return whole;
}

// `s`, UTF-8, as add_json_string() writes it. nullopt if `s` is no UTF-8, which JSON cannot hold.
inline std::optional<std::string> json_string(std::string_view s) {
  std::string out;
  if (!add_json_string(out, s)) return std::nullopt;
  return out;
}

// `s` with U+FFFD for each byte that is part of no UTF-8 character, so that json_string() takes it:
// the name of a file may be any bytes.
inline std::string as_utf8(std::string_view s) {
  std::string out;
  add_utf8(
      out, s, [](char) { return false; }, [](char) {});
  return out;
}

}  // namespace tracecodec::io
