// Numbers in lines of text, in which blanks and leading zeros have no meaning.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "integers.hpp"

namespace tracecodec::wire {

// Form in which encode writes a number. decode accepts any number of blanks, zeros and upper-case
// digits.
struct number_form {
  unsigned base = 10;      // 10 or 16
  std::size_t digits = 1;  // minimum number of digits; zeros fill it
  std::size_t blanks = 0;  // number of blanks before the digits
};

// Number in text. decode passes blanks and tabs before the digits, and a CR after them if LF follows.
// The number ends before the next character, which must not be a letter or a digit, and which belongs
// to the next item. decode rejects other text as malformed, and a number that does not fit `T`.
template <class T, number_form Form> struct number_text_of {
  static_assert(std::is_unsigned_v<T> && (Form.base == 10 || Form.base == 16));
  using value_type = T;
  static constexpr bool variable_length = true;
  static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    std::size_t i = 0;
    while (i != in.size() && is_blank(in[i])) ++i;
    const std::size_t first = i;
    T r = 0;
    for (; i != in.size(); ++i) {
      const unsigned d = detail::digit_of(std::to_integer<unsigned char>(in[i]));
      if (d >= Form.base) break;
      if (r > (std::numeric_limits<T>::max() - d) / Form.base) return {0, errc::malformed};
      r = static_cast<T>(r * Form.base + d);
    }
    if (i == in.size()) return {0, errc::truncated};
    if (i == first || is_letter(in[i])) return {0, errc::malformed};
    if (in[i] == byte{'\r'}) {
      if (i + 1 == in.size()) return {0, errc::truncated};
      i += in[i + 1] == byte{'\n'};
    }
    v = r;
    return {i};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return Form.blanks + size_of(v); }
  static constexpr byte* store(T v, byte* p) noexcept {
    for (std::size_t i = 0; i != Form.blanks; ++i) *p++ = static_cast<byte>(' ');
    const std::size_t n = size_of(v);
    detail::store_digits<Form.base>(v, n, p);
    return p + n;
  }
  static constexpr text type_name() noexcept {
    return Form.base == 16 ? std::string_view("hexadecimal text")
                           : std::string_view("decimal text");
  }
  static constexpr text sizes() noexcept { return std::string_view("any"); }

 private:
  static constexpr bool is_blank(byte b) noexcept { return b == byte{' '} || b == byte{'\t'}; }
  static constexpr bool is_letter(byte b) noexcept {
    const auto c = std::to_integer<unsigned char>(b);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  static constexpr std::size_t size_of(T v) noexcept {
    const std::size_t n = detail::digits_in<Form.base>(v);
    return n < Form.digits ? Form.digits : n;
  }
};
template <auto P, number_form Form = number_form{}> struct number_text
    : field<P, number_text_of<member_t<P>, Form>> {};

}  // namespace tracecodec::wire
