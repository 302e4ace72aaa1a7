// Decompresses and compresses zstd files with libzstd. Link with -lzstd.
#pragma once
#include <memory>
#include <string>

#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompressing source for .zst files, including concatenated and skippable frames. In a seekable
// file, skip() jumps over frames whose headers store the content size. For errors, see
// decompressor. Also throws trace_error(unsupported) for a window larger than zstd_options::memory,
// and for a frame that needs a dictionary.
class zstd_source final : public decompressor {
 public:
  explicit zstd_source(std::unique_ptr<source> compressed, std::string name,
                       const zstd_options& options = {});
};

// Compressing sink that writes independent frames with sizes and checksums, followed by a seek
// table. Uses only the caller's thread, so equal input produces equal output. In addition to
// libzstd's memory, the sink needs memory for the content of one frame, and up to 24 bytes for each
// frame until the seek table is written. For 1 TiB in frames of 4 MiB, the seek table requires up
// to 6 MiB.
//
// An output of more than 134,217,728 frames has no seek table. Throws trace_error(refused) for a
// level outside 1 to 22.
class zstd_sink final : public compressor {
 public:
  explicit zstd_sink(std::unique_ptr<sink> out, const output_options& options = {});
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zstd.ipp"
#endif
