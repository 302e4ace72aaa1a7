// Foundation of the wire layer: the byte, the inline attribute, and a copy that also runs at
// compile time.
#pragma once
// Only the byte-swap macros: conversion.hpp would add a tenth to the compile time of a record.
#include <boost/endian/detail/intrinsic.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Forces inlining. Without it, g++ -O2 does not inline the decoding of a dozen fields and rereads
// the record from memory, which takes half again as many instructions.
#define TRACECODEC_INLINE [[gnu::always_inline]] inline

namespace tracecodec::wire {

using byte = std::byte;

namespace detail {
// True if the instruction set has instructions that shuffle 16 or 32 bytes at a time. Loops over
// many records take it as a template parameter, so that translation units compiled for different
// instruction sets do not share the loops.
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
    // No object is that large. Without this hint, g++ warns about lengths that it cannot exclude.
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
