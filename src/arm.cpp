// Compiles the functions of include/tracecodec/arm/ once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/arm/impl/decode.ipp>
#include <tracecodec/arm/impl/parts.ipp>
