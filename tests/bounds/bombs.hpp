// Makes small compressed files with large content, using the compression libraries themselves.
#pragma once
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "bytes.hpp"
#include "tracecodec/io/compression/codecs.hpp"
#if defined(TRACECODEC_WITH_BZIP2)
#include <bzlib.h>
#endif
#if defined(TRACECODEC_WITH_LZ4)
#include <lz4frame.h>
#endif
#if defined(TRACECODEC_WITH_SNAPPY)
#include <snappy-c.h>
#endif
#if defined(TRACECODEC_WITH_XZ)
#include <lzma.h>
#endif
#if defined(TRACECODEC_WITH_ZIP)
#include "tracecodec/io/compression/zip_sink.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD)
#include <zstd.h>
#endif

namespace test {

#if defined(TRACECODEC_WITH_BZIP2)
inline bytes bzip2_of(bytes all) {
  bytes out(all.size() / 100 * 101 + 1000);
  auto n = static_cast<unsigned>(out.size());
  const auto size = static_cast<unsigned>(all.size());
  all.resize(all.size() + 1);  // ensures a non-null pointer, which bzip2 requires
  if (BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &n,
                               reinterpret_cast<char*>(all.data()), size, 9, 0, 0) != BZ_OK)
    std::abort();
  out.resize(n);
  return out;
}
#endif
#if defined(TRACECODEC_WITH_LZ4)
inline bytes lz4_of(const bytes& all) {
  bytes out(LZ4F_compressFrameBound(all.size(), nullptr));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), all.data(), all.size(), nullptr));
  return out;
}
#endif
#if defined(TRACECODEC_WITH_SNAPPY)
// Writes chunks of 65536 bytes without checksums (DynamoRIO's type 2).
inline bytes snappy_of(const bytes& all) {
  constexpr std::string_view identifier("\xFF\6\0\0sNaPpY", 10);
  bytes out(identifier.size());
  std::memcpy(out.data(), identifier.data(), identifier.size());
  for (std::size_t at = 0; at < all.size(); at += 65536) {
    const std::size_t content = std::min<std::size_t>(all.size() - at, 65536);
    std::size_t n = snappy_max_compressed_length(content);
    bytes chunk(4 + n);
    snappy_compress(reinterpret_cast<const char*>(all.data() + at), content,
                    reinterpret_cast<char*>(chunk.data() + 4), &n);
    chunk.resize(4 + n);
    chunk[0] = std::byte{2};
    for (unsigned i = 0; i < 3; ++i) chunk[1 + i] = static_cast<std::byte>(n >> (8 * i));
    out.insert(out.end(), chunk.begin(), chunk.end());
  }
  return out;
}
#endif
#if defined(TRACECODEC_WITH_ZIP)
inline bytes zip_of(const bytes& all) {
  bytes out;
  io::zip_sink to(std::make_unique<vector_sink>(out), {.level = 1});
  to.write(all);
  to.finish();
  return out;
}
#endif

#if defined(TRACECODEC_WITH_XZ)
// Compresses as xz --lzma2=preset=0,dict=256MiB would, but without the gigabytes that xz's encoder
// needs. Patches the dictionary size in the block header (xz-file-format 5.3.1: 32 is 256 MiB), and
// its CRC.
inline bytes xz_of_large_dictionary(const bytes& all) {
  bytes out(all.size() / 128);
  lzma_stream to = LZMA_STREAM_INIT;
  if (lzma_easy_encoder(&to, 0, LZMA_CHECK_CRC64) != LZMA_OK) std::abort();
  to.next_in = reinterpret_cast<const std::uint8_t*>(all.data());
  to.avail_in = all.size();
  to.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  to.avail_out = out.size();
  if (lzma_code(&to, LZMA_FINISH) != LZMA_STREAM_END) std::abort();
  out.resize(static_cast<std::size_t>(to.total_out));
  lzma_end(&to);
  const std::size_t header = 12, crc = header + 8;
  out[header + 4] = std::byte{32};
  const std::uint32_t sum =
      lzma_crc32(reinterpret_cast<const std::uint8_t*>(out.data()) + header, crc - header, 0);
  for (unsigned i = 0; i < 4; ++i) out[crc + i] = static_cast<std::byte>(sum >> (8 * i));
  return out;
}
#endif
#if defined(TRACECODEC_WITH_ZSTD)
// Compresses as zstd --long=28 does with input from a pipe: with a window of 256 MiB.
inline bytes zstd_of_large_window(const bytes& all) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> to(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(to.get(), ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(to.get(), ZSTD_c_windowLog, 28);
  ZSTD_CCtx_setParameter(to.get(), ZSTD_c_contentSizeFlag, 0);
  bytes out(all.size() / 128);
  const std::size_t n = ZSTD_compress2(to.get(), out.data(), out.size(), all.data(), all.size());
  if (ZSTD_isError(n) != 0) std::abort();
  out.resize(n);
  return out;
}
#endif

// Returns `all` compressed as one member, or nothing if this build cannot write the codec.
inline bytes compressed(io::codec kind, const bytes& all) {
#if defined(TRACECODEC_WITH_BZIP2)
  if (kind == io::codec::bzip2) return bzip2_of(all);
#endif
#if defined(TRACECODEC_WITH_LZ4)
  if (kind == io::codec::lz4) return lz4_of(all);
#endif
#if defined(TRACECODEC_WITH_SNAPPY)
  if (kind == io::codec::snappy) return snappy_of(all);
#endif
#if defined(TRACECODEC_WITH_ZIP)
  if (kind == io::codec::zip) return zip_of(all);
#endif
  bytes out;
  const bool writable = (kind == io::codec::xz && with_xz) ||
                        (kind == io::codec::gzip && with_gzip) ||
                        (kind == io::codec::zstd && with_zstd);
  if (!writable) return out;
  const auto to =
      io::compress(kind, std::make_unique<vector_sink>(out), "f", {.level = 1, .threads = 1});
  to->write(all);
  to->finish();
  return out;
}

inline constexpr std::array all_codecs{io::codec::xz,   io::codec::gzip, io::codec::bzip2,
                                       io::codec::zstd, io::codec::lz4,  io::codec::snappy,
                                       io::codec::zip};

}  // namespace test
