// Checksums for wire::computed<>, for example wire::over<io::crc32, &S::first, &S::last>. Each
// checksum is computed in steps:
//   crc32 sum;  sum.update(bytes);  sum.value();
#pragma once
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
