// Numbers and bytes in hexadecimal form, and decimal numbers.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "../../config.hpp"

namespace tracecodec {

// Returns `v` in hexadecimal, for example "0x1f".
inline std::string hex(std::uint64_t v) {
  std::string s = "0x";
  for (int shift = 60; shift >= 0; shift -= 4)
    if (v >> shift != 0 || shift == 0) s += "0123456789abcdef"[v >> shift & 15U];
  return s;
}

namespace io {

// Returns the value of a hexadecimal digit, or 16 for another character.
constexpr unsigned hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
}
// Returns the value of a whole word of digits, or nullopt for other text and for more than 64 bits.
template <int Base = 16> std::optional<std::uint64_t> digits_of(std::string_view word) noexcept {
  std::uint64_t v = 0;
  const auto r = std::from_chars(word.data(), word.data() + word.size(), v, Base);
  if (r.ec != std::errc() || r.ptr != word.data() + word.size()) return std::nullopt;
  return v;
}
constexpr bool begins_hex(std::string_view word) noexcept {
  return word.starts_with("0x") || word.starts_with("0X");
}
// Returns the value of a hexadecimal number, which may begin with 0x, or nullopt like digits_of().
inline std::optional<std::uint64_t> hex_number(std::string_view word) noexcept {
  return digits_of(word.substr(begins_hex(word) ? 2 : 0));
}
// Returns the value of a decimal number, or of a hexadecimal number that begins with 0x, or nullopt like
// digits_of().
inline std::optional<std::uint64_t> decimal_or_hex(std::string_view word) noexcept {
  return begins_hex(word) ? hex_number(word) : digits_of<10>(word);
}
// Returns true if `text` consists of two hexadecimal digits for each byte.
constexpr bool is_hex_bytes(std::string_view text) noexcept {
  return text.size() % 2 == 0 &&
         std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) != 16; });
}
// Replaces `to` by the bytes of `text`, for which is_hex_bytes() returns true.
inline void read_hex_bytes(std::string_view text, std::vector<std::byte>& to) {
  to.clear();
  for (std::size_t n = 0; n + 1 < text.size(); n += 2)
    to.push_back(static_cast<std::byte>(hex_digit(text[n]) << 4U | hex_digit(text[n + 1])));
}

}  // namespace io
}  // namespace tracecodec
