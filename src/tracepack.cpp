// Compiles the functions of include/tracecodec/tracepack/ once. TRACECODEC_WITH_ZSTD enables
// reading and writing tracepacks.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/impl/reader.ipp>
#include <tracecodec/tracepack/impl/writer.ipp>
#endif
