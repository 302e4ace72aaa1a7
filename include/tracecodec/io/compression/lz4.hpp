// lz4: decompression of the lz4 frame format with liblz4; link with -llz4.
#pragma once
#include <memory>
#include <string>

#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .lz4, including concatenated and skippable frames. See decompressor for errors.
class lz4_source final : public decompressor {
 public:
  explicit lz4_source(std::unique_ptr<source> compressed, std::string name);
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lz4.ipp"
#endif
