// bzip2: decompression with libbz2; link with -lbz2.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .bz2, concatenated streams too. Errors: see decompressor.
class bzip2_source final : public decompressor {
 public:
  explicit bzip2_source(std::unique_ptr<source> compressed, std::string name);
  TRACECODEC_FUNC ~bzip2_source() override;

 private:
  TRACECODEC_FUNC step decode(std::span<const std::byte> in, std::span<std::byte> out) override;

  class decoder;
  std::unique_ptr<decoder> decoder_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/bzip2.ipp"
#endif
