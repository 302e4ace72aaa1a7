// Numbers and bytes as text, appended to a std::string or a rows::buffer. Without streams, whose
// formatting state costs more than the digits.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "../wire/bytes.hpp"

namespace tracecodec::rows {

namespace detail {
// Calls write(begin), which writes at most `N` characters and returns their end.
template <std::size_t N, class Out, class Write>
TRACECODEC_INLINE void append(Out& out, Write write) {
  if constexpr (requires { out.room(N); }) {
    out.used(write(out.room(N)));
  } else {
    std::array<char, N> chars;
    const char* const end = write(chars.data());
    out += std::string_view(chars.data(), static_cast<std::size_t>(end - chars.data()));
  }
}
}  // namespace detail

// Decimal digits, behind a minus sign if it is negative.
template <class Out, std::integral N> TRACECODEC_INLINE void add_number(Out& out, N n) {
  // Unused slots and flags are most of a trace's numbers.
  if (n >= 0 && n < 10) {
    out += static_cast<char>('0' + n);
    return;
  }
  detail::append<20>(out, [n](char* p) { return std::to_chars(p, p + 20, n).ptr; });
}

// The shortest digits that are read as the same number of its type: 0.1 for 0.1F. False, and
// nothing is appended, if it is infinite or none.
template <class Out, std::floating_point N> bool add_number(Out& out, N v) {
  static_assert(sizeof(N) <= sizeof(double), "no more than 32 characters");
  if (!std::isfinite(v)) return false;
  detail::append<32>(out, [v](char* p) { return std::to_chars(p, p + 32, v).ptr; });
  return true;
}

// "0x3f000c"; with `width` as many digits, 16 at most: "0x00000000003f000c".
template <class Out>
TRACECODEC_INLINE void add_hex(Out& out, std::uint64_t n, std::size_t width = 0) {
  detail::append<34>(out, [n, width](char* p) {
    *p++ = '0';
    *p++ = 'x';
    if (width != 0)
      for (std::size_t i = std::min<std::size_t>(width, 16) - 1; i != 0 && n >> 4 * i == 0; --i)
        *p++ = '0';
    return std::to_chars(p, p + 16, n, 16).ptr;
  });
}

namespace detail {
// The digits of all bytes: one look a byte.
inline constexpr std::array<char, 512> hex_pairs = [] {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<char, 512> all{};
  for (std::size_t i = 0; i < 256; ++i) {
    all[2 * i] = digits[i >> 4U];
    all[2 * i + 1] = digits[i & 15U];
  }
  return all;
}();
}  // namespace detail

// Two hexadecimal digits for each byte, in the order in which they lie there.
template <class Out> void add_bytes(Out& out, std::span<const std::byte> all) {
  // In pieces, as a value of a trace may be a page of memory.
  while (!all.empty()) {
    const auto piece = all.first(std::min<std::size_t>(all.size(), 32));
    detail::append<64>(out, [piece](char* p) {
      for (const std::byte b : piece) {
        std::memcpy(p, &detail::hex_pairs[2 * std::to_integer<std::size_t>(b)], 2);
        p += 2;
      }
      return p;
    });
    all = all.subspan(piece.size());
  }
}

}  // namespace tracecodec::rows
