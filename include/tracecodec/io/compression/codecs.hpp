// Creates decompressors and compressors for the codecs of this build. The macros
// TRACECODEC_WITH_XZ, _GZIP, _BZIP2, _ZSTD, _LZ4, _SNAPPY and _ZIP enable the codecs. If a codec's
// macro is not defined, the codec's library is neither included nor linked. The macros must be the
// same in all translation units of a program.
#pragma once
#include <memory>
#include <string>

#include "../../config.hpp"
#include "../input/source.hpp"
#include "../options.hpp"
#include "../output/sink.hpp"
#include "codec.hpp"

namespace tracecodec::io {

// Returns a source that decompresses `compressed`, or `compressed` itself for codec::none. `name`
// appears in error messages. Throws trace_error(unsupported) for a codec that this build does not
// support.
TRACECODEC_FUNC std::unique_ptr<source> decompress(codec kind, std::unique_ptr<source> compressed,
                                                   const std::string& name,
                                                   const xz_options& xz = {},
                                                   const zstd_options& zstd = {},
                                                   const zip_options& zip = {});

// Returns a sink that compresses into `out`, or `out` itself for codec::none. `name` appears in
// error messages. Throws trace_error(unsupported) for a codec that this build does not write. No
// build writes bzip2, lz4 or snappy; zip_sink writes zip, and zstf_sink writes ZSTF. Throws trace_error(refused) for a
// level that the codec does not support.
TRACECODEC_FUNC std::unique_ptr<sink> compress(codec kind, std::unique_ptr<sink> out,
                                               const std::string& name,
                                               const output_options& options = {});

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/codecs.ipp"
#endif
