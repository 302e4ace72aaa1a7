// The functions of include/tracecodec/tracepack/, compiled once. It is read and written if TRACECODEC_WITH_ZSTD is
// defined.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/tracepack/impl/about.ipp>
#include <tracecodec/tracepack/impl/layout.ipp>
#include <tracecodec/tracepack/impl/shape.ipp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/impl/open.ipp>
#include <tracecodec/tracepack/impl/reader.ipp>
#include <tracecodec/tracepack/impl/writer.ipp>
#endif
