// The function of include/tracecodec/format/ that is no template, compiled once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/format/impl/file_beside.ipp>
