// Helpers of the wire tests: bytes from hex, hex from bytes, and deterministic random numbers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wire_test {

using byte = std::byte;

template <std::size_t N> struct hex_text {
  char chars[N]{};
  consteval hex_text(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
};

constexpr unsigned digit(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

template <hex_text Text> consteval auto bytes_of() {
  constexpr std::size_t digits = [] {
    std::size_t n = 0;
    for (const char c : Text.chars) n += c != ' ' && c != '\0';
    return n;
  }();
  static_assert(digits % 2 == 0);
  std::array<byte, digits / 2> out{};
  std::size_t i = 0;
  for (const char c : Text.chars) {
    if (c == ' ' || c == '\0') continue;
    out[i / 2] = (out[i / 2] << 4) | byte{static_cast<unsigned char>(digit(c))};
    ++i;
  }
  return out;
}

// Array of the bytes in `Text`: hex<"00 04"> contains 0 and 4. Blanks are ignored. (A variable
// rather than a literal operator: clang 14 crashes on the address of a literal operator's
// result.)
template <hex_text Text> inline constexpr auto hex = bytes_of<Text>();

inline std::string hex_of(std::span<const byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string s;
  for (const byte b : bytes) {
    s += digits[std::to_integer<unsigned>(b) >> 4];
    s += digits[std::to_integer<unsigned>(b) & 15];
  }
  return s;
}

// splitmix64, which generates equal numbers on every host.
struct random_numbers {
  std::uint64_t state;
  constexpr std::uint64_t operator()() {
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  template <std::size_t N> constexpr std::array<byte, N> bytes() {
    std::array<byte, N> a{};
    for (byte& b : a) b = static_cast<byte>((*this)() & 0xff);
    return a;
  }
};

}  // namespace wire_test
