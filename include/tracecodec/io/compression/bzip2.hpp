// bzip2: decompression with libbz2; link with -lbz2.
#pragma once
#include <memory>
#include <string>

#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .bz2, including concatenated streams. See decompressor for errors.
class bzip2_source final : public decompressor {
 public:
  explicit bzip2_source(std::unique_ptr<source> compressed, std::string name);
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/bzip2.ipp"
#endif
