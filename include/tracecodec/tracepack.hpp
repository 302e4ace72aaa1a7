// Includes all headers for tracepack, the compact file format for trace records. Reading and
// writing need zstd (TRACECODEC_WITH_ZSTD, -lzstd).
#pragma once
#include "tracepack/about.hpp"
#include "tracepack/layout.hpp"
#include "tracepack/pack_options.hpp"
#include "tracepack/recognise.hpp"
#include "tracepack/shape.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracepack/feed.hpp"
#include "tracepack/open.hpp"
#include "tracepack/reader.hpp"
#include "tracepack/rows.hpp"
#include "tracepack/writer.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD) && defined(TRACECODEC_WITH_ZYDIS)
#include "tracepack/values.hpp"
#endif
