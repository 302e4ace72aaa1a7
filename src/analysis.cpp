// Compiles the functions of include/tracecodec/analysis/ once. These functions do not depend on a
// format, so they do not need a TRACECODEC_WITH_... macro.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/analysis/diff/impl/source.ipp>
#include <tracecodec/analysis/export/impl/drcov.ipp>
#include <tracecodec/analysis/export/impl/lcov.ipp>
#include <tracecodec/analysis/export/impl/pprof.ipp>
#include <tracecodec/analysis/impl/block_vectors.ipp>
#include <tracecodec/analysis/impl/call_tree.ipp>
#include <tracecodec/analysis/impl/calling_convention.ipp>
#include <tracecodec/analysis/impl/code_anchors.ipp>
#include <tracecodec/analysis/impl/constants.ipp>
#include <tracecodec/analysis/impl/diff.ipp>
#include <tracecodec/analysis/impl/executed_blocks.ipp>
#include <tracecodec/analysis/impl/find.ipp>
#include <tracecodec/analysis/impl/find_relocation.ipp>
#include <tracecodec/analysis/impl/hot_blocks.ipp>
#include <tracecodec/analysis/impl/known_constants.ipp>
#include <tracecodec/analysis/impl/loops.ipp>
#include <tracecodec/analysis/impl/recorded_calls.ipp>
#include <tracecodec/analysis/impl/texts.ipp>
#include <tracecodec/analysis/impl/value_search.ipp>
