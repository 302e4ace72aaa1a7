// Options of compression and decompression, as plain numbers. They are separate from the
// codecs' headers, so that a program can set an option without including a compression
// library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracecodec::io {

// Largest dictionary (xz) or window (zstd), in bytes, that is accepted by default. A
// decompressor allocates its dictionary or window as a whole, and at most 1 MiB in addition.
inline constexpr std::uint64_t usual_memory_limit = std::uint64_t{256} << 20;

struct xz_options {
  unsigned threads = 0;  // 0: one for each hardware thread
  // Bytes. Above this, liblzma decodes with fewer threads, down to one. With the default, a
  // process stays below 64 MiB.
  std::uint64_t threading_memory = std::uint64_t{40} << 20;
  std::uint64_t memory = usual_memory_limit;  // bytes; a file with a larger dictionary is refused
};

struct zstd_options {
  // Bytes. A frame with a larger window is refused, and so is one that libzstd cannot decode:
  // above 2 GiB, or 1 GiB on 32-bit hosts.
  std::uint64_t memory = usual_memory_limit;
};

struct output_options {
  std::optional<int> level = {};  // xz 0-9, gzip 0-9, zstd 1-22; default 6, 6, 3
  unsigned threads = 0;           // xz only; 0: one for each hardware thread
  // Bytes of content in each xz block and zstd frame: the unit of decoding. A reader that
  // skips into a block must decode the block from its start. The dictionary is not larger than
  // a block. Values below 4096 count as 4096: the bookkeeping for each block, in memory and in
  // the file, would outweigh its content.
  std::size_t block_size = std::size_t{4} << 20;
  // Maximum size of the output in bytes, after compression. If the output would exceed it,
  // writing fails (io::size_limit) and no file appears.
  std::uint64_t most_bytes = ~std::uint64_t{0};
};

}  // namespace tracecodec::io
