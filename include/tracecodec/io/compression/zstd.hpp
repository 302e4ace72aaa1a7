// zstd: decompression and compression with libzstd; link with -lzstd.
#pragma once
#include <memory>
#include <string>

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
};

// Compresses to .zst: independent frames with their sizes and checksums, and a seek table behind
// them; on the caller's thread, so that equal input gives equal output. Memory besides libzstd's: a
// frame's content, and up to 24 bytes for each frame, of which the seek table is made: 6 MiB after
// 1 TiB in frames of 4 MiB. More than 134,217,728 frames have no table, and no more are kept.
// Throws trace_error(refused) for a level outside 1 to 22.
class zstd_sink final : public compressor {
 public:
  explicit zstd_sink(std::unique_ptr<sink> out, const output_options& options = {});
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zstd.ipp"
#endif
