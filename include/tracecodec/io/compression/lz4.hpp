// lz4: decompression of the lz4 frame format with liblz4; link with -llz4.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .lz4: concatenated and skippable frames too. Errors: see decompressor.
class lz4_source final : public decompressor {
 public:
  explicit lz4_source(std::unique_ptr<source> compressed, std::string name);
  TRACECODEC_FUNC ~lz4_source() override;

 private:
  TRACECODEC_FUNC step decode(std::span<const std::byte> in, std::span<std::byte> out) override;

  class decoder;
  std::unique_ptr<decoder> decoder_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lz4.ipp"
#endif
