// Converts names of registers and instructions to lower case, for searches that ignore case.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::x86 {

constexpr char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
// Returns `name` with A to Z replaced by a to z. All other characters are unchanged, regardless of
// the locale.
inline std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

// Name of up to 8 characters in lower case, without allocation. A longer name becomes empty.
class short_name {
 public:
  constexpr explicit short_name(std::string_view name) noexcept {
    if (name.size() > letters_.size()) return;
    for (const char c : name) letters_[size_++] = lower_case(c);
  }
  [[nodiscard]] constexpr std::string_view text() const noexcept {
    return {letters_.data(), size_};
  }

 private:
  std::array<char, 8> letters_ = {};
  std::size_t size_ = 0;
};

}  // namespace tracecodec::x86
