// Decompresses and compresses xz files in independent blocks with liblzma, on several threads. Link
// with -llzma.
#pragma once
#include <memory>
#include <string>

#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompressing source for .xz files, including concatenated streams and stream padding. Decodes
// several blocks in parallel if the block headers store sizes, which xz_sink and `xz -T0` ensure.
// xz_options::threading_memory limits the number of threads. By default, the limit allows four
// threads for files that xz_sink wrote, and one thread for files that `xz -T0` wrote.
//
// In a seekable file, skip() uses the index, unless the index requires more memory than 2 MiB or
// threading_memory. An index of 2 MiB is sufficient for 500 GB written by xz_sink. For errors, see
// decompressor. Also throws trace_error(unsupported) for a dictionary larger than
// xz_options::memory.
class xz_source final : public decompressor {
 public:
  explicit xz_source(std::unique_ptr<source> compressed, std::string name,
                     const xz_options& options = {});
};

// Compressing sink that writes an .xz file of independent blocks with CRC64 checks. The block
// headers store sizes, so several blocks can be encoded, and later decoded, in parallel. The output
// does not depend on the number of threads. With the default options, decoding two blocks takes 24
// MiB of memory, and encoding takes 60 MiB for each thread. Throws trace_error(refused) for a level
// outside 0 to 9.
class xz_sink final : public compressor {
 public:
  explicit xz_sink(std::unique_ptr<sink> out, const output_options& options = {});
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/xz.ipp"
#endif
