// Compiles the functions of include/tracecodec/tenet/ once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/tenet/impl/reader.ipp>
