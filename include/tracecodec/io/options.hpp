// Options of compression and decompression, as plain numbers. They are separate from the
// codecs' headers, so that a program can set an option without including a compression
// library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracecodec::io {

// Default maximum size in bytes of a dictionary (xz) or window (zstd). A decompressor allocates
// the whole dictionary or window, and up to 1 MiB in addition.
inline constexpr std::uint64_t usual_memory_limit = std::uint64_t{256} << 20;

struct xz_options {
  unsigned threads = 0;  // 0: one thread for each hardware thread
  // Memory limit in bytes. If decoding would exceed the limit, liblzma uses fewer threads, down
  // to one. With the default, a process stays below 64 MiB.
  std::uint64_t threading_memory = std::uint64_t{40} << 20;
  // Maximum size of a dictionary in bytes. A file with a larger dictionary is refused.
  std::uint64_t memory = usual_memory_limit;
};

struct zstd_options {
  // Maximum size of a window in bytes. A frame with a larger window is refused. libzstd itself
  // cannot decode windows above 2 GiB, or above 1 GiB on 32-bit hosts.
  std::uint64_t memory = usual_memory_limit;
};

struct output_options {
  std::optional<int> level = {};  // xz 0-9, gzip 0-9, zstd 1-22; default 6, 6, 3
  unsigned threads = 0;           // only for xz; 0: one thread for each hardware thread
  // Number of bytes of content in each xz block and zstd frame, which is the unit of decoding.
  // A reader that skips into a block must decode the block from its start. The dictionary is
  // not larger than a block. Values below 4096 are treated as 4096: with smaller blocks, the
  // overhead of each block, in memory and in the file, would outweigh its content.
  std::size_t block_size = std::size_t{4} << 20;
  // Maximum size of the output in bytes, after compression. If the output would exceed it,
  // writing fails (io::size_limit) and no file appears.
  std::uint64_t most_bytes = ~std::uint64_t{0};
};

}  // namespace tracecodec::io
