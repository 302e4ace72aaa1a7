// Numbers and bytes in hexadecimal form.
#pragma once
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

// Returns the value of a hexadecimal number, which may begin with 0x, or nullopt for other text and
// for numbers of more than 64 bits.
inline std::optional<std::uint64_t> hex_number(std::string_view text) noexcept {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint64_t v = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v, 16);
  if (r.ec != std::errc() || r.ptr != text.data() + text.size()) return std::nullopt;
  return v;
}
// Returns true if `text` consists of two hexadecimal digits for each byte.
constexpr bool is_hex_bytes(std::string_view text) noexcept {
  return text.size() % 2 == 0 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}
// Replaces `to` by the bytes of `text`, for which is_hex_bytes() returns true.
inline void read_hex_bytes(std::string_view text, std::vector<std::byte>& to) {
  const auto digit = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  };
  to.clear();
  for (std::size_t n = 0; n + 1 < text.size(); n += 2)
    to.push_back(static_cast<std::byte>(digit(text[n]) << 4U | digit(text[n + 1])));
}

}  // namespace io
}  // namespace tracecodec
