// Parses bytes and text that the user wants to find.
#pragma once
#include <tracecodec/io/text/utf8.hpp>

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace examples {

// Parses hexadecimal bytes such as "48 8b 05", with or without spaces. Returns nullopt if the text
// is empty or not hexadecimal.
inline std::optional<std::vector<std::byte>> bytes_of(const std::string& s) {
  std::vector<std::byte> all;
  std::string digits;
  for (const char c : s)
    if (c != ' ') digits += c;
  if (digits.empty() || digits.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned v = 0;
    const char *const from = digits.data() + i, *const to = from + 2;
    if (std::from_chars(from, to, v, 16).ptr != to) return std::nullopt;
    all.push_back(static_cast<std::byte>(v));
  }
  return all;
}

// Returns the bytes of a text. If the text is valid UTF-8, also returns the bytes of the text in
// UTF-16 (little-endian). Returns an empty list for an empty text.
inline std::vector<std::vector<std::byte>> texts_of(const std::string& s) {
  if (s.empty()) return {};
  const auto bytes = std::as_bytes(std::span(s));
  std::vector<std::vector<std::byte>> all{{bytes.begin(), bytes.end()}};
  std::vector<std::byte> wide;
  const auto units = tracecodec::io::utf16_of(s);
  if (!units) return all;
  for (const char16_t unit : *units) {
    wide.push_back(static_cast<std::byte>(unit & 0xFF));
    wide.push_back(static_cast<std::byte>(unit >> 8));
  }
  all.push_back(std::move(wide));
  return all;
}

}  // namespace examples
