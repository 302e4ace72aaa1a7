// Writing JSON strings. Light: apart from simdjson, so that writers need not include it.
#pragma once
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

// `s`, UTF-8, as a JSON string with its quotes: quotes, backslashes and control characters escaped,
// everything else as it is. nullopt if `s` is no UTF-8, which JSON cannot hold.
inline std::optional<std::string> json_string(std::string_view s) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "\"";
  while (!s.empty()) {
    const std::size_t n = detail::utf8_size(s);
    if (n == 0) return std::nullopt;
    const unsigned char c = static_cast<unsigned char>(s[0]);
    if (c == '"' || c == '\\') {
      out += {'\\', s[0]};
    } else if (c < 0x20) {
      out += "\\u00";
      out += {hex[c >> 4U], hex[c & 15U]};
    } else {
      out += s.substr(0, n);
    }
    s.remove_prefix(n);
  }
  return out + '"';
}

// `s` with U+FFFD for each byte that is part of no UTF-8 character, so that json_string() takes it:
// the name of a file may be any bytes.
inline std::string as_utf8(std::string_view s) {
  std::string out;
  while (!s.empty()) {
    const std::size_t n = detail::utf8_size(s);
    out += n != 0 ? s.substr(0, n) : "\xEF\xBF\xBD";
    s.remove_prefix(n != 0 ? n : 1);
  }
  return out;
}

}  // namespace tracecodec::io
