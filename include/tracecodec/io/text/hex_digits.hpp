// Hexadecimal numbers in text: of up to 64 bits, and long ones, of which some bytes can be unknown.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "../../config.hpp"

namespace tracecodec::io {

// Returns the value of a whole word of digits, or nullopt for other text and for more than 64 bits.
template <int Base = 16> std::optional<std::uint64_t> digits_of(std::string_view word) noexcept {
  std::uint64_t v = 0;
  const auto r = std::from_chars(word.data(), word.data() + word.size(), v, Base);
  if (r.ec != std::errc() || r.ptr != word.data() + word.size()) return std::nullopt;
  return v;
}

// Number of up to 256 bytes. Two digits "--" are an unknown byte, and ".." a byte without a value.
class hex_digits {
 public:
  // Adds the digits of a word, in which '_' and ':' separate digits, and '-', 'x', 'X' and '#' are
  // unknown digits. Returns false if the word has other characters or too many digits.
  bool add(std::string_view word) noexcept {
    for (const char c : word) {
      if (c == '_' || c == ':') continue;
      const bool unknown = c == '-' || c == 'x' || c == 'X' || c == '#';
      if ((!unknown && c != '.' && value_of(c) == 16) || size_ == all_.size()) return false;
      all_[size_++] = unknown ? '-' : c;
    }
    return true;
  }
  // Adds zeros in front, so that there are at least `n` bytes. Returns false if there are more.
  bool extend(std::size_t n) noexcept {
    if (size_ > 2 * n || 2 * n > all_.size()) return false;
    std::copy_backward(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(size_),
                       all_.begin() + static_cast<std::ptrdiff_t>(2 * n));
    std::fill_n(all_.begin(), 2 * n - size_, '0');
    size_ = 2 * n;
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }  // in digits
  [[nodiscard]] std::size_t bytes() const noexcept { return (size_ + 1) / 2; }

  // Return true if byte `n`, counted from the end, has a value, or if it is unknown.
  [[nodiscard]] bool is_known(std::size_t n) const noexcept {
    return value_of(byte(n)[0]) != 16 && value_of(byte(n)[1]) != 16;
  }
  [[nodiscard]] bool is_unknown(std::size_t n) const noexcept {
    return byte(n)[0] != '.' && !is_known(n);
  }
  // Returns byte `n`, which must be known.
  [[nodiscard]] char value(std::size_t n) const noexcept {
    return static_cast<char>(16 * value_of(byte(n)[0]) + value_of(byte(n)[1]));
  }

 private:
  static constexpr unsigned value_of(char c) noexcept {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
  }
  [[nodiscard]] const char* byte(std::size_t n) const noexcept {
    return all_.data() + size_ - 2 * n - 2;
  }

  std::array<char, 512> all_;  // NOLINT: only the first size_ are used
  std::size_t size_ = 0;
};

}  // namespace tracecodec::io
