// Options of compression and decompression, in plain numbers.
// Apart from the codecs' headers, so that naming an option does not include a library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracecodec::io {

// Bytes of the largest dictionary (xz) or window (zstd) that is read by default. A file's
// decompressor takes its dictionary or window at once, and at most 1 MiB besides.
inline constexpr std::uint64_t usual_memory_limit = std::uint64_t{256} << 20;

struct xz_options {
  unsigned threads = 0;  // 0: as many as the machine runs at once
  // Bytes. Above this, liblzma decodes with fewer threads, down to one; the default keeps a process
  // under 64 MiB.
  std::uint64_t threading_memory = std::uint64_t{40} << 20;
  std::uint64_t memory = usual_memory_limit;  // bytes; a file with a larger dictionary is refused
};

struct zstd_options {
  // Bytes; a frame with a larger window is refused, and also one that libzstd does not decode: above
  // 2 GiB, on 32-bit hosts 1 GiB.
  std::uint64_t memory = usual_memory_limit;
};

struct output_options {
  std::optional<int> level = {};  // xz 0-9, gzip 0-9, zstd 1-22; default 6, 6, 3
  unsigned threads = 0;           // xz; 0: as many as the machine runs at once
  // Bytes of content in each xz block and zstd frame: what is decoded at once, and what a reader
  // that skips into it decodes in vain. The dictionary is no larger. Less than 4096 counts as that:
  // what is kept of each, here and in the file, would outweigh its content.
  std::size_t block_size = std::size_t{4} << 20;
  // Bytes that the output may have, as it is written: compressed, if it is. More are refused (io::size_limit), and then
  // no file appears.
  std::uint64_t most_bytes = ~std::uint64_t{0};
};

}  // namespace tracecodec::io
