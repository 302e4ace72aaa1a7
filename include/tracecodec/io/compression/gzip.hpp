// gzip: decompression and compression with zlib; link with -lz.
#pragma once
#include <memory>
#include <string>

#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .gz, including concatenated members. See decompressor for errors. Other data
// after the last member are an error, even if all bytes are zero.
class gzip_source final : public decompressor {
 public:
  explicit gzip_source(std::unique_ptr<source> compressed, std::string name);
};

// Compresses to .gz: one member, without a name or a time, so equal input produces equal
// output. Throws trace_error(refused) for a level outside 0 to 9.
class gzip_sink final : public compressor {
 public:
  explicit gzip_sink(std::unique_ptr<sink> out, const output_options& options = {});
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/gzip.ipp"
#endif
