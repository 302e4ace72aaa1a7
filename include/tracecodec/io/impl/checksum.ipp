// Only this file and gzip.ipp include zlib.h.
#pragma once
#include <array>

#include "../checksum.hpp"

#ifdef TRACECODEC_WITH_GZIP
#include <zlib.h>
#endif

namespace tracecodec::io {

namespace detail {

// Tables for processing 8 bytes at a time. The speed is important because tracepack computes a
// checksum of every frame. crc_tables[n][b] is the CRC of byte b followed by n zero bytes.
template <std::uint32_t Reversed>
inline constexpr std::array<std::array<std::uint32_t, 256>, 8> crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t b = 0; b != 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit != 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? Reversed : 0);
    t[0][b] = crc;
  }
  for (std::size_t n = 1; n != t.size(); ++n)
    for (std::size_t b = 0; b != 256; ++b) t[n][b] = t[n - 1][b] >> 8 ^ t[0][t[n - 1][b] & 0xff];
  return t;
}();

template <std::uint32_t Reversed>
void reflected_crc<Reversed>::update(std::span<const std::byte> bytes) noexcept {
  std::uint32_t crc = crc_;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint32_t next = 0;
    for (unsigned i = 0; i != 8; ++i)
      next ^= crc_tables<Reversed>[7 - i][std::to_integer<unsigned>(bytes[i]) ^
                                          (i < 4 ? crc >> 8 * i & 0xff : 0)];
    crc = next;
  }
  for (const std::byte b : bytes)
    crc = crc >> 8 ^ crc_tables<Reversed>[0][(crc ^ std::to_integer<unsigned>(b)) & 0xff];
  crc_ = crc;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class reflected_crc<0xEDB88320>;
template class reflected_crc<0x82F63B78>;
#endif

}  // namespace detail

#ifdef TRACECODEC_WITH_GZIP
TRACECODEC_FUNC void adler32::update(std::span<const std::byte> bytes) noexcept {
  sum_ = static_cast<std::uint32_t>(
      ::adler32_z(sum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}
#endif

}  // namespace tracecodec::io
