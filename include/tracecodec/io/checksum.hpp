// Checksums for wire::computed<>, for example wire::over<io::crc32, &S::first, &S::last>. Each
// checksum is computed in steps:
//   crc32 sum;  sum.update(bytes);  sum.value();
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../config.hpp"
#ifdef TRACECODEC_WITH_XXHASH
#include <xxhash.h>
#endif

namespace tracecodec::io {

namespace detail {
// Reflected 32-bit CRC, inverted at the beginning and at the end.
template <std::uint32_t Reversed> class reflected_crc {
 public:
  void update(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint32_t value() const noexcept { return ~crc_; }

 private:
  std::uint32_t crc_ = ~std::uint32_t{0};
};
#ifdef TRACECODEC_SEPARATE_COMPILATION
extern template class reflected_crc<0xEDB88320>;
extern template class reflected_crc<0x82F63B78>;
#endif
}  // namespace detail

// CRC-32 of gzip, PNG, zip and Ethernet (ISO 3309), and CRC-32C (Castagnoli; RFC 3720, B.4).
using crc32 = detail::reflected_crc<0xEDB88320>;
using crc32c = detail::reflected_crc<0x82F63B78>;

// Sum of all bytes, modulo 2^64. tar uses this checksum, with blanks in place of the checksum
// field.
class byte_sum {
 public:
  constexpr void update(std::span<const std::byte> bytes) noexcept {
    for (const std::byte b : bytes) sum_ += std::to_integer<unsigned>(b);
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

// SHA-1 (FIPS 180-4), for formats that contain such a digest, as those of Git do. It does not
// protect against forged files.
class sha1 {
 public:
  constexpr void update(std::span<const std::byte> bytes) noexcept {
    for (const std::byte b : bytes) {
      block_[size_++ % 64] = std::to_integer<std::uint8_t>(b);
      if (size_ % 64 == 0) mix();
    }
  }
  [[nodiscard]] constexpr std::array<std::uint8_t, 20> value() const noexcept {
    sha1 last = *this;
    const std::uint64_t bits = 8 * size_;
    last.pad(0x80);
    while (last.size_ % 64 != 56) last.pad(0);
    for (int shift = 56; shift >= 0; shift -= 8)
      last.pad(static_cast<std::uint8_t>(bits >> shift & 0xff));
    std::array<std::uint8_t, 20> out{};
    for (std::size_t i = 0; i < 20; ++i)
      out[i] = static_cast<std::uint8_t>(last.h_[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
    return out;
  }

 private:
  constexpr void pad(std::uint8_t b) noexcept {
    const std::byte one[1] = {std::byte{b}};
    update(one);
  }
  // Adds the full block to the digest.
  constexpr void mix() noexcept {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | block_[i];
    for (std::size_t i = 16; i < 80; ++i)
      w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = h_;
    for (std::size_t i = 0; i < 80; ++i) {
      const std::uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                              : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                              : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                       : (b ^ c ^ d) + 0xca62c1d6;
      const std::uint32_t next = std::rotl(a, 5) + f + e + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    h_ = {h_[0] + a, h_[1] + b, h_[2] + c, h_[3] + d, h_[4] + e};
  }

  std::array<std::uint32_t, 5> h_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::array<std::uint8_t, 64> block_ = {};
  std::uint64_t size_ = 0;
};

#ifdef TRACECODEC_WITH_GZIP
// Adler-32 of zlib (RFC 1950).
class adler32 {
 public:
  void update(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint32_t value() const noexcept { return sum_; }

 private:
  std::uint32_t sum_ = 1;
};
#else
// Declared only, so that the compiler names the macro.
class [[deprecated("define TRACECODEC_WITH_GZIP and link with -lz")]] adler32;
#endif

#ifdef TRACECODEC_WITH_XXHASH
// XXH64 with seed 0.
class xxh64 {
 public:
  xxh64() noexcept { XXH64_reset(&state_, 0); }
  void update(std::span<const std::byte> bytes) noexcept {
    XXH64_update(&state_, bytes.data(), bytes.size());
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return XXH64_digest(&state_); }

 private:
  XXH64_state_t state_{};
};
#else
class [[deprecated("define TRACECODEC_WITH_XXHASH and link with -lxxhash")]] xxh64;
#endif

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/checksum.ipp"
#endif
