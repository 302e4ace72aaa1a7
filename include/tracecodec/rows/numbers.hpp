// Appends numbers and bytes as text to a std::string or a rows::buffer. Streams are not used,
// because their formatting state costs more than the conversion to digits.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "../wire/types/bytes.hpp"
#include "../wire/types/scalar.hpp"

namespace tracecodec::rows {

namespace detail {
// Calls write(begin), which must write up to `N` characters and return their end.
template <std::size_t N, class Out, class Write>
TRACECODEC_INLINE void append(Out& out, Write write) {
  if constexpr (requires { out.extend(N); }) {
    out.used(write(out.extend(N)));
  } else {
    std::array<char, N> chars;
    const char* const end = write(chars.data());
    out += std::string_view(chars.data(), static_cast<std::size_t>(end - chars.data()));
  }
}
}  // namespace detail

// Appends `n` in decimal, after a minus sign if `n` is negative.
template <class Out, std::integral N> TRACECODEC_INLINE void add_number(Out& out, N n) {
  // Fast path: most numbers in a trace are 0 or flags.
  if (n >= 0 && n < 10) {
    out += static_cast<char>('0' + n);
    return;
  }
  detail::append<20>(out, [n](char* p) { return std::to_chars(p, p + 20, n).ptr; });
}

// Appends the shortest decimal number that reads back as `v` in type `N`, such as 0.1 for 0.1F.
// Returns false and appends nothing if `v` is infinite or NaN.
template <class Out, std::floating_point N> bool add_number(Out& out, N v) {
  static_assert(sizeof(N) <= sizeof(double), "no more than 32 characters");
  constexpr N largest = std::numeric_limits<N>::max();
  if (!(v >= -largest && v <= largest)) return false;
  detail::append<32>(out, [v](char* p) { return std::to_chars(p, p + 32, v).ptr; });
  return true;
}

// Appends `n` in hexadecimal, such as "0x3f000c". If `width` (up to 16) is not 0, appends at least
// `width` digits, such as "0x00000000003f000c" for 16.
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
// Returns the hexadecimal digits of four bytes. The digits of the lowest byte of `four` are in the
// two lowest bytes of the result.
constexpr std::uint64_t hex_digits(std::uint32_t four) noexcept {
  // Spread the bytes, and then the halves of each byte.
  std::uint64_t all = four;
  all = (all | all << 16U) & 0x0000FFFF0000FFFFU;
  all = (all | all << 8U) & 0x00FF00FF00FF00FFU;
  all = (all >> 4U & 0x000F000F000F000FU) | (all & 0x000F000F000F000FU) << 8U;
  const std::uint64_t letters = (all + 0x0606060606060606U) >> 4U & 0x0101010101010101U;
  return all + 0x3030303030303030U + letters * ('a' - '0' - 10);
}
static_assert(hex_digits(0xFFA9900F) == 0x6666396130396630);  // "0f90a9ff"
}  // namespace detail

// Appends two hexadecimal digits for each byte, in memory order.
template <class Out> void add_bytes(Out& out, std::span<const std::byte> all) {
  // Bytes are converted in pieces, because a value in a trace may be a whole page of memory.
  while (!all.empty()) {
    const auto piece = all.first(std::min<std::size_t>(all.size(), 32));
    detail::append<64>(out, [piece](char* p) {
      std::size_t i = 0;
      for (; i + 4 <= piece.size(); i += 4, p += 8)
        wire::u64le::store(detail::hex_digits(wire::u32le::load(piece.data() + i)),
                           reinterpret_cast<std::byte*>(p));
      for (; i < piece.size(); ++i, p += 2) {
        const std::uint64_t two = detail::hex_digits(std::to_integer<std::uint32_t>(piece[i]));
        wire::u16le::store(static_cast<std::uint16_t>(two), reinterpret_cast<std::byte*>(p));
      }
      return p;
    });
    all = all.subspan(piece.size());
  }
}

}  // namespace tracecodec::rows
