// Compiles once the function of include/tracecodec/format/ that is not a template.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/format/impl/file_beside.ipp>
