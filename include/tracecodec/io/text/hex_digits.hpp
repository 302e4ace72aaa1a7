// Long hexadecimal numbers in text, of which some bytes can be unknown.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "hex.hpp"

namespace tracecodec::io {

// Number of up to 256 bytes. Two digits "--" are an unknown byte, and ".." a byte without a value.
class hex_digits {
 public:
  // Adds the digits of a word, in which '_' and ':' separate digits, and '-', 'x', 'X' and '#' are
  // unknown digits. Returns false if the word has other characters or too many digits.
  bool add(std::string_view word) noexcept {
    for (const char c : word) {
      if (c == '_' || c == ':') continue;
      const bool unknown = c == '-' || c == 'x' || c == 'X' || c == '#';
      if ((!unknown && c != '.' && hex_digit(c) == 16) || size_ == all_.size()) return false;
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
    return hex_digit(byte(n)[0]) != 16 && hex_digit(byte(n)[1]) != 16;
  }
  [[nodiscard]] bool is_unknown(std::size_t n) const noexcept {
    return byte(n)[0] != '.' && !is_known(n);
  }
  // Returns byte `n`, which must be known.
  [[nodiscard]] char value(std::size_t n) const noexcept {
    return static_cast<char>(16 * hex_digit(byte(n)[0]) + hex_digit(byte(n)[1]));
  }

 private:
  [[nodiscard]] const char* byte(std::size_t n) const noexcept {
    return all_.data() + size_ - 2 * n - 2;
  }

  std::array<char, 512> all_;  // NOLINT: only the first size_ are used
  std::size_t size_ = 0;
};

}  // namespace tracecodec::io
