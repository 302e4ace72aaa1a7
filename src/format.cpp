// Compiles the functions of include/tracecodec/format/ that are not templates once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/format/impl/file_beside.ipp>
#include <tracecodec/format/impl/part_files.ipp>
