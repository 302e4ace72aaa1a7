// Includes all headers for tracepack, the compact file format for trace records, except
// tracepack/layout.hpp, which describes the structures of the file. Reading and writing require zstd
// (TRACECODEC_WITH_ZSTD, -lzstd).
#pragma once
#include "tracepack/about.hpp"
#include "tracepack/pack_options.hpp"
#include "tracepack/properties.hpp"
#include "tracepack/recognise.hpp"
#include "tracepack/shape.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracepack/feed.hpp"
#include "tracepack/open.hpp"
#include "tracepack/reader.hpp"
#include "tracepack/rows.hpp"
#include "tracepack/writer.hpp"
#else
namespace tracecodec::tracepack {
// Declared only, so that the compiler names the macro.
class [[deprecated("define TRACECODEC_WITH_ZSTD and link with -lzstd")]] reader;
class [[deprecated("define TRACECODEC_WITH_ZSTD and link with -lzstd")]] writer;
}  // namespace tracecodec::tracepack
#endif
#if defined(TRACECODEC_WITH_ZSTD) && defined(TRACECODEC_WITH_ZYDIS)
#include "tracepack/values.hpp"
#endif
