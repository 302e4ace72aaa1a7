// Decompresses files in Snappy's framing format with libsnappy. Link with -lsnappy.
#pragma once
#include <memory>
#include <string>

#include "decompressor.hpp"

namespace tracecodec::io {

// Decompressing source for .sz files (framing_format.txt of Snappy), including concatenated
// streams. Also reads the chunk types 2 and 3 of DynamoRIO, which are chunks without a checksum.
// The format has no end mark, so a file that is truncated between two chunks is valid. For errors,
// see decompressor. The source uses less than 300 KiB of memory.
class snappy_source final : public decompressor {
 public:
  explicit snappy_source(std::unique_ptr<source> compressed, std::string name);
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/snappy.ipp"
#endif
