// Compiles the functions of include/tracecodec/query/ once. These functions do not depend on a
// format, so they do not need a TRACECODEC_WITH_... macro.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/query/impl/accesses.ipp>
#include <tracecodec/query/impl/checked_file.ipp>
#include <tracecodec/query/impl/concurrency.ipp>
#include <tracecodec/query/impl/data_flow.ipp>
#include <tracecodec/query/impl/deciding_branches.ipp>
#include <tracecodec/query/impl/execution_builder.ipp>
#include <tracecodec/query/impl/execution_index.ipp>
#include <tracecodec/query/impl/execution_questions.ipp>
#include <tracecodec/query/impl/index.ipp>
#include <tracecodec/query/impl/index_writer.ipp>
#include <tracecodec/query/impl/memory_builder.ipp>
#include <tracecodec/query/impl/memory_index.ipp>
#include <tracecodec/query/impl/memory_questions.ipp>
#include <tracecodec/query/impl/memory_state.ipp>
#include <tracecodec/query/impl/origin.ipp>
#include <tracecodec/query/impl/posting_set.ipp>
#include <tracecodec/query/impl/posting_sorter.ipp>
#include <tracecodec/query/impl/register_state.ipp>
#include <tracecodec/query/impl/trace_identity.ipp>
