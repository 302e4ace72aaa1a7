// Compresses and decompresses whole zstd frames in memory, for formats that embed such frames. Link
// with -lzstd.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "../../config.hpp"

namespace tracecodec::io {

// Compressor of single frames. The level is 1 to 22, and other levels are clamped. Only libzstd
// allocates memory, and its tables are limited to 16 MiB.
class zstd_packer {
 public:
  TRACECODEC_FUNC explicit zstd_packer(int level);
  TRACECODEC_FUNC ~zstd_packer();
  zstd_packer(const zstd_packer&) = delete;
  zstd_packer& operator=(const zstd_packer&) = delete;

  void set_level(int level) noexcept { level_ = level; }
  // Appends `content` to `to` as a frame, and returns the frame's size.
  TRACECODEC_FUNC std::size_t pack(std::span<const std::byte> content, std::vector<std::byte>& to);

 private:
  class context;
  std::unique_ptr<context> context_;
  int level_;
};

class zstd_unpacker {
 public:
  TRACECODEC_FUNC zstd_unpacker();
  TRACECODEC_FUNC ~zstd_unpacker();
  zstd_unpacker(const zstd_unpacker&) = delete;
  zstd_unpacker& operator=(const zstd_unpacker&) = delete;

  // Decompresses `frame` into `content`. Returns true if `frame` is a single zstd frame and its
  // content has exactly the size of `content`.
  TRACECODEC_FUNC bool unpack(std::span<const std::byte> frame, std::span<std::byte> content);

 private:
  class context;
  std::unique_ptr<context> context_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zstd_block.ipp"
#endif
