// Compiles the functions of include/tracecodec/tarmac/ once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/tarmac/impl/line.ipp>
#include <tracecodec/tarmac/impl/reader.ipp>
