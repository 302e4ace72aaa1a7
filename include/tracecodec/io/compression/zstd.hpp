// zstd: decompression and compression with libzstd; link with -lzstd.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .zst: concatenated and skippable frames too. In a file that seeks, skip() goes over
// frames that say how much they hold. Errors: see decompressor; trace_error(unsupported) also for a
// window above zstd_options::memory and for a frame that needs a dictionary.
class zstd_source final : public decompressor {
 public:
  explicit zstd_source(std::unique_ptr<source> compressed, std::string name,
                       const zstd_options& options = {});
  TRACECODEC_FUNC ~zstd_source() override;

 private:
  TRACECODEC_FUNC std::optional<entry> find(source& from, std::uint64_t content) override;
  TRACECODEC_FUNC void restart(const entry& there) override;
  TRACECODEC_FUNC step decode(std::span<const std::byte> in, std::span<std::byte> out) override;

  class decoder;
  std::unique_ptr<decoder> decoder_;
};

// Compresses to .zst: independent frames with their sizes and checksums, and a seek table behind
// them; on the caller's thread, so that equal input gives equal output. Memory besides libzstd's: a
// frame's content, and up to 24 bytes for each frame, of which the seek table is made: 6 MiB after
// 1 TiB in frames of 4 MiB. More than 134,217,728 frames have no table, and no more are kept.
// Throws trace_error(refused) for a level outside 1 to 22.
class zstd_sink final : public compressor {
 public:
  explicit zstd_sink(std::unique_ptr<sink> out, const output_options& options = {});
  TRACECODEC_FUNC ~zstd_sink() override;

 private:
  TRACECODEC_FUNC step encode(std::span<const std::byte> in, bool last,
                              std::span<std::byte> out) override;

  class encoder;
  std::unique_ptr<encoder> encoder_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zstd.ipp"
#endif
