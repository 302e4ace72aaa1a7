// gzip: decompression and compression with zlib; link with -lz.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .gz, concatenated members too. Errors: see decompressor; zero bytes after the last
// member are garbage like any other.
class gzip_source final : public decompressor {
 public:
  explicit gzip_source(std::unique_ptr<source> compressed, std::string name);
  TRACECODEC_FUNC ~gzip_source() override;

 private:
  TRACECODEC_FUNC step decode(std::span<const std::byte> in, std::span<std::byte> out) override;

  class decoder;
  std::unique_ptr<decoder> decoder_;
};

// Compresses to .gz: one member, without a name or a time, so that equal input gives equal output.
// Throws trace_error(refused) for a level outside 0 to 9.
class gzip_sink final : public compressor {
 public:
  explicit gzip_sink(std::unique_ptr<sink> out, const output_options& options = {});
  TRACECODEC_FUNC ~gzip_sink() override;

 private:
  TRACECODEC_FUNC step encode(std::span<const std::byte> in, bool last,
                              std::span<std::byte> out) override;

  class encoder;
  std::unique_ptr<encoder> encoder_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/gzip.ipp"
#endif
