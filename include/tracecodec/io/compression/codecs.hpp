// The codecs this build has, by their enumerator. TRACECODEC_WITH_XZ, _GZIP, _BZIP2, _ZSTD and _LZ4
// tell which: without its macro a codec's library is neither included nor linked.
// The macros must be the same in all of a program's translation units.
#pragma once
#include <memory>
#include <string>

#include "../../config.hpp"
#include "../input/source.hpp"
#include "../options.hpp"
#include "../output/sink.hpp"
#include "codec.hpp"

namespace tracecodec::io {

// The decompressed bytes of `compressed`; `name` is for errors. codec::none gives `compressed`
// back. Throws trace_error(unsupported) for a codec this build does not have.
TRACECODEC_FUNC std::unique_ptr<source> decompress(codec kind, std::unique_ptr<source> compressed,
                                                   const std::string& name,
                                                   const xz_options& xz = {},
                                                   const zstd_options& zstd = {});

// A sink that compresses into `out`; `name` is for errors. codec::none gives `out` back.
// Throws trace_error(unsupported) for a codec this build does not write (none writes bzip2 or lz4),
// (refused) for a level the codec does not have.
TRACECODEC_FUNC std::unique_ptr<sink> compress(codec kind, std::unique_ptr<sink> out,
                                               const std::string& name,
                                               const output_options& options = {});

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/codecs.ipp"
#endif
