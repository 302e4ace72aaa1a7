// Compiles the functions of include/tracecodec/drmemtrace/ that are not templates once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/drmemtrace/impl/feed.ipp>
