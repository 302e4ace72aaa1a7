// Basics of the wire layer: the byte type, the macro that forces inlining, and byte operations that
// also work at compile time.
#pragma once
// Include only the byte-swap macros, because conversion.hpp would increase the compile time of a
// record by a tenth.
#include <boost/endian/detail/intrinsic.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../config.hpp"

// Forces inlining. Without this macro, g++ -O2 does not inline the decoding of a dozen fields. It
// then reads the record from memory again, which takes 1.5 times as many instructions.
#define TRACECODEC_INLINE [[gnu::always_inline]] inline

namespace tracecodec::wire {

using byte = std::byte;

namespace detail {
// True if the instruction set has instructions that shuffle 16 or 32 bytes at a time. Loops over
// many records have this flag as a template parameter, so that translation units compiled for
// different instruction sets do not share the loops.
#if defined(__AVX2__)
inline constexpr bool has_shuffles = true;
#else
inline constexpr bool has_shuffles = false;
#endif
}  // namespace detail

// Copies `n` bytes. The ranges must not overlap.
TRACECODEC_INLINE constexpr void copy(const byte* from, byte* to, std::size_t n) noexcept {
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  } else if (n != 0) {
    // No object is larger than SIZE_MAX / 2. Without this hint, g++ warns about such lengths.
    if (n > SIZE_MAX / 2) __builtin_unreachable();
    std::memcpy(to, from, n);
  }
}

TRACECODEC_INLINE constexpr void zero(byte* to, std::size_t n) noexcept {
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i < n; ++i) to[i] = byte{0};
  } else if (n != 0) {
    std::memset(to, 0, n);
  }
}

// Returns the bytes of an unsigned integer in reverse order.
template <class U> TRACECODEC_INLINE constexpr U reversed(U v) noexcept {
  static_assert(std::is_unsigned_v<U> && sizeof(U) <= 8);
  if constexpr (sizeof(U) == 8)
    return BOOST_ENDIAN_INTRINSIC_BYTE_SWAP_8(v);
  else if constexpr (sizeof(U) == 4)
    return BOOST_ENDIAN_INTRINSIC_BYTE_SWAP_4(v);
  else if constexpr (sizeof(U) == 2)
    return BOOST_ENDIAN_INTRINSIC_BYTE_SWAP_2(v);
  else
    return v;
}

}  // namespace tracecodec::wire
