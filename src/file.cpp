// Compiles the functions of include/tracecodec/file/ that are not templates once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/file/impl/named_by_content.ipp>
#include <tracecodec/file/impl/record_table.ipp>
