// Compiles the functions of include/tracecodec/bt9/ once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/bt9/impl/reader.ipp>
