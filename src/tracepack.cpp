// The functions of include/tracecodec/tracepack/, compiled once. It is read and written if TRACECODEC_WITH_ZSTD is
// defined.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/impl/reader.ipp>
#include <tracecodec/tracepack/impl/writer.ipp>
#endif
