// Decompresses and compresses gzip files with zlib. Link with -lz.
#pragma once
#include <memory>
#include <string>

#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompressing source for .gz files, including concatenated members. For errors, see decompressor.
// Any other data after the last member are an error, even if all bytes are zero.
class gzip_source final : public decompressor {
 public:
  explicit gzip_source(std::unique_ptr<source> compressed, std::string name);
};

// Compressing sink that writes one .gz member. The member contains no name and no time, so equal
// input produces equal output. Throws trace_error(refused) for a level outside 0 to 9.
class gzip_sink final : public compressor {
 public:
  explicit gzip_sink(std::unique_ptr<sink> out, const output_options& options = {});
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/gzip.ipp"
#endif
