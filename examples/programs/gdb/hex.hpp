// Hexadecimal numbers and bytes of GDB's remote protocol.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debug {

constexpr std::optional<unsigned> hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

inline void add_hex_byte(std::string& to, unsigned byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  to += digits[byte >> 4 & 15U];
  to += digits[byte & 15U];
}
inline std::string hex_text(std::string_view bytes) {
  std::string s;
  for (const char c : bytes) add_hex_byte(s, static_cast<unsigned char>(c));
  return s;
}
// Returns the digits of a number, without leading zeros.
inline std::string hex_number(std::uint64_t n) {
  std::string s;
  do s.insert(s.begin(), "0123456789abcdef"[n & 15U]);
  while ((n >>= 4) != 0);
  return s;
}
// Returns the bytes, or nullopt if the text is not pairs of digits.
inline std::optional<std::string> bytes_of_hex(std::string_view s) {
  if (s.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i != s.size(); i += 2) {
    const auto high = hex_digit(s[i]), low = hex_digit(s[i + 1]);
    if (!high || !low) return std::nullopt;
    bytes += static_cast<char>(*high << 4 | *low);
  }
  return bytes;
}

// Reads the parts of a packet from left to right.
class packet_text {
 public:
  explicit packet_text(std::string_view s) : rest_(s) {}

  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  [[nodiscard]] bool is_end() const noexcept { return rest_.empty(); }
  // Skips `s` if it is next. Returns false if it is not.
  bool skip(std::string_view s) noexcept {
    if (!rest_.starts_with(s)) return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  // Reads a number of 1 to 16 digits. Returns nullopt, and reads nothing, if there is none.
  std::optional<std::uint64_t> number() noexcept {
    std::uint64_t n = 0;
    std::size_t digits = 0;
    for (; digits != rest_.size(); ++digits) {
      const auto d = hex_digit(rest_[digits]);
      if (!d) break;
      if (digits == 16) return std::nullopt;
      n = n << 4 | *d;
    }
    if (digits == 0) return std::nullopt;
    rest_.remove_prefix(digits);
    return n;
  }
  // Reads a number that must be the rest of the packet.
  std::optional<std::uint64_t> last_number() noexcept {
    const auto n = number();
    return is_end() ? n : std::nullopt;
  }
  // Reads up to the separator, which is skipped, or to the end.
  std::string_view until(char separator) noexcept {
    const std::size_t at = rest_.find(separator);
    const std::string_view part = rest_.substr(0, at);
    rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + 1);
    return part;
  }

 private:
  std::string_view rest_;
};

}  // namespace debug
