// xz: decompression and multi-block compression with liblzma, both on several threads; link with
// -llzma.
#pragma once
#include <memory>
#include <string>

#include "../options.hpp"
#include "compressor.hpp"
#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .xz: concatenated streams and stream padding too. Several blocks are decoded at once
// if they carry their sizes, as those of xz_sink and of `xz -T0` do, on as many cores as
// xz_options::threading_memory allows: four for the former, one for the latter by default.
// In a file that seeks, skip() goes by the index, if that takes no more than 2 MiB, as for
// 500 GB in blocks of xz_sink, nor than threading_memory.
// Errors: see decompressor; trace_error(unsupported) also for a dictionary larger than
// xz_options::memory.
class xz_source final : public decompressor {
 public:
  explicit xz_source(std::unique_ptr<source> compressed, std::string name,
                     const xz_options& options = {});
};

// Compresses to .xz in independent blocks with their sizes in the headers and CRC64 checks: several
// are encoded, and later decoded, at once. The output does not depend on the number of threads.
// With the default options two blocks decode in 24 MiB; encoding takes 60 MiB for each thread.
// Throws trace_error(refused) for a level outside 0 to 9.
class xz_sink final : public compressor {
 public:
  explicit xz_sink(std::unique_ptr<sink> out, const output_options& options = {});
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/xz.ipp"
#endif
