// Decompresses bzip2 files with libbz2. Link with -lbz2.
#pragma once
#include <memory>
#include <string>

#include "decompressor.hpp"

namespace tracecodec::io {

// Decompressing source for .bz2 files, including concatenated streams. For errors, see
// decompressor.
class bzip2_source final : public decompressor {
 public:
  explicit bzip2_source(std::unique_ptr<source> compressed, std::string name);
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/bzip2.ipp"
#endif
