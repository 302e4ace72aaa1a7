// Uses liblzma directly. Decompresses a file chunk by chunk into one buffer and discards the
// result, or compresses like the xz command into a single block.
#pragma once
#include <lzma.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bench {

// Returns the size of the content in bytes, or 0 after any error.
inline std::uint64_t decompress_by_hand(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  lzma_stream stream = LZMA_STREAM_INIT;
  if (!file || lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) return 0;
  std::vector<std::uint8_t> in(128 << 10), out(256 << 10);
  std::uint64_t size = 0;
  lzma_ret ret = LZMA_OK;
  lzma_action action = LZMA_RUN;
  while (ret == LZMA_OK) {
    if (stream.avail_in == 0 && action == LZMA_RUN) {
      stream.next_in = in.data();
      stream.avail_in = std::fread(in.data(), 1, in.size(), file.get());
      if (stream.avail_in == 0) action = LZMA_FINISH;
    }
    stream.next_out = out.data();
    stream.avail_out = out.size();
    ret = lzma_code(&stream, action);
    size += out.size() - stream.avail_out;
  }
  lzma_end(&stream);
  return ret == LZMA_STREAM_END ? size : 0;
}

// Compresses `bytes` to `path`. Returns true on success. The block's header does not state its
// size, as in most published traces.
inline bool compress_to_one_block(std::span<const std::byte> bytes, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             &std::fclose);
  lzma_stream stream = LZMA_STREAM_INIT;
  if (!file || lzma_easy_encoder(&stream, 6, LZMA_CHECK_CRC64) != LZMA_OK) return false;
  std::vector<std::uint8_t> out(256 << 10);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  lzma_ret ret = LZMA_OK;
  bool written = true;
  while (ret == LZMA_OK && written) {
    stream.next_out = out.data();
    stream.avail_out = out.size();
    ret = lzma_code(&stream, LZMA_FINISH);
    const std::size_t n = out.size() - stream.avail_out;
    written = std::fwrite(out.data(), 1, n, file.get()) == n;
  }
  lzma_end(&stream);
  return ret == LZMA_STREAM_END && written && std::fflush(file.get()) == 0;
}

}  // namespace bench
