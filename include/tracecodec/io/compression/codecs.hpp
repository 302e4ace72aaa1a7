// Codecs of this build, selected by enumerator. TRACECODEC_WITH_XZ, _GZIP, _BZIP2, _ZSTD and
// _LZ4 enable them: without its macro, a codec's library is neither included nor linked. The
// macros must be the same in all translation units of a program.
#pragma once
#include <memory>
#include <string>

#include "../../config.hpp"
#include "../input/source.hpp"
#include "../options.hpp"
#include "../output/sink.hpp"
#include "codec.hpp"

namespace tracecodec::io {

// Returns a source of the decompressed bytes of `compressed`; codec::none returns `compressed`
// itself. `name` is used in errors. Throws trace_error(unsupported) for a codec that this
// build does not have.
TRACECODEC_FUNC std::unique_ptr<source> decompress(codec kind, std::unique_ptr<source> compressed,
                                                   const std::string& name,
                                                   const xz_options& xz = {},
                                                   const zstd_options& zstd = {});

// Returns a sink that compresses into `out`; codec::none returns `out` itself. `name` is used
// in errors. Throws trace_error: (unsupported) a codec that this build does not write (no
// build writes bzip2 or lz4); (refused) a level that the codec does not have.
TRACECODEC_FUNC std::unique_ptr<sink> compress(codec kind, std::unique_ptr<sink> out,
                                               const std::string& name,
                                               const output_options& options = {});

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/codecs.ipp"
#endif
