// Compiles the functions of include/tracecodec/analysis/ once. These functions depend on no
// format and need no macro.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/analysis/diff/impl/source.ipp>
#include <tracecodec/analysis/impl/block_vectors.ipp>
#include <tracecodec/analysis/impl/diff.ipp>
#include <tracecodec/analysis/impl/find.ipp>
#include <tracecodec/analysis/impl/hot_blocks.ipp>
