// Patterns that match the first bytes of files.
#pragma once
#include <cstddef>
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::file::detail::known {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr bool is_hex(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_word(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '.' || c == '-';
}

// Removes all leading characters of a class from `text`. Returns the number of removed characters.
template <class Class> constexpr std::size_t take(std::string_view& text, Class is) noexcept {
  std::size_t n = 0;
  while (n < text.size() && is(text[n])) ++n;
  text.remove_prefix(n);
  return n;
}

// Removes the characters that `kind` matches from the front of `text`. Returns false if `text` does
// not begin with such characters.
constexpr bool take_kind(std::string_view& text, char kind) noexcept {
  switch (kind) {
    case 'd':
      return take(text, is_digit) != 0;
    case 'x':
      return take(text, is_hex) != 0;
    case 'w':
      return take(text, is_word) != 0;
    case 's':
      return take(text, is_blank) != 0;
    case 'n':
      take(text, is_blank);
      return text.empty() || text[0] == '\r' || text[0] == '\n';
    case '?':
      if (text.empty()) return false;
      text.remove_prefix(1);
      return true;
    default:
      if (text.empty() || text[0] != kind) return false;
      text.remove_prefix(1);
      return true;
  }
}

// Returns true if `text` begins with the pattern `mark`. In a pattern, %d matches decimal digits,
// %x hexadecimal digits, %w a word, and %s blanks (at least one character each). %n matches the end
// of a line, %? matches any byte, and %% matches %. Any other character matches itself. Patterns
// are case-sensitive.
constexpr bool begins_as(std::string_view text, std::string_view mark) noexcept {
  while (!mark.empty()) {
    const bool special = mark[0] == '%' && mark.size() > 1;
    if (special) {
      if (!take_kind(text, mark[1])) return false;
    } else {
      if (text.empty() || text[0] != mark[0]) return false;
      text.remove_prefix(1);
    }
    mark.remove_prefix(special ? 2 : 1);
  }
  return true;
}

// Returns the number of bytes that the pattern `mark` specifies exactly.
constexpr std::size_t bytes_of_mark(std::string_view mark) noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < mark.size(); ++i) {
    const bool special = mark[i] == '%' && i + 1 < mark.size();
    n += !special || mark[i + 1] == '%';
    i += special;
  }
  return n;
}

}  // namespace tracecodec::file::detail::known
