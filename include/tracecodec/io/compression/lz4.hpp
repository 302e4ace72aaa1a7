// Decompresses files in the lz4 frame format with liblz4. Link with -llz4.
#pragma once
#include <memory>
#include <string>

#include "decompressor.hpp"

namespace tracecodec::io {

// Decompressing source for .lz4 files, including concatenated and skippable frames. For errors, see
// decompressor.
class lz4_source final : public decompressor {
 public:
  explicit lz4_source(std::unique_ptr<source> compressed, std::string name);
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lz4.ipp"
#endif
