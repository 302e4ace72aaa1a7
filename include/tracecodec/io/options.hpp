// Options for compression and decompression. This header is separate from the codecs' headers, so
// that a program can set options without including a compression library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::io {

// Default maximum size in bytes of a dictionary (xz) or window (zstd). A decompressor allocates
// memory for the whole dictionary or window, plus up to 1 MiB.
inline constexpr std::uint64_t usual_memory_limit = std::uint64_t{256} << 20;

struct xz_options {
  unsigned threads = 0;  // 0 means one thread for each hardware thread
  // Memory limit in bytes. If decoding would exceed the limit, liblzma uses fewer threads, down to
  // one. With the default limit, a process uses less than 64 MiB.
  std::uint64_t threading_memory = std::uint64_t{40} << 20;
  // Maximum size of a dictionary in bytes. A file with a larger dictionary is refused.
  std::uint64_t memory = usual_memory_limit;
};

struct zstd_options {
  // Maximum size of a window in bytes. A frame with a larger window is refused. libzstd itself
  // cannot decode windows above 2 GiB, or above 1 GiB on 32-bit hosts.
  std::uint64_t memory = usual_memory_limit;
};

struct zip_options {
  // Name of the member to read alone. If the name is empty, see zip_source for the members that are
  // read. The characters must outlive every input that is opened with these options.
  std::string_view member = {};
  bool all = false;  // true to read all members as one stream, in the order of the file
};

struct output_options {
  std::optional<int> level = {};  // xz, gzip and zip: 0 to 9, default 6; zstd: 1 to 22, default 3
  unsigned threads = 0;           // only for xz; 0 means one thread for each hardware thread
  // Number of bytes of content in each xz block or zstd frame. A reader that skips into a block or
  // frame must decode that block or frame from its start. The dictionary is not larger than a
  // block. Values below 4096 are treated as 4096, because smaller blocks would need more space for
  // overhead than for content, both in memory and in the file.
  std::size_t block_size = std::size_t{4} << 20;
  // Maximum size of the output in bytes, after compression. If the output would exceed this size,
  // writing fails (io::size_limit) and no file appears.
  std::uint64_t most_bytes = ~std::uint64_t{0};
};

}  // namespace tracecodec::io
