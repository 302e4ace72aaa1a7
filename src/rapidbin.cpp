// Compiles the functions of include/tracecodec/rapidbin/ once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/rapidbin/impl/check.ipp>
#include <tracecodec/rapidbin/impl/descriptor.ipp>
#include <tracecodec/rapidbin/impl/metadata.ipp>
#include <tracecodec/rapidbin/impl/recognise.ipp>
#include <tracecodec/rapidbin/impl/std_writer.ipp>
#include <tracecodec/rapidbin/impl/symbolic_writer.ipp>
#include <tracecodec/rapidbin/impl/trace_options.ipp>
#include <tracecodec/rapidbin/impl/well_formed.ipp>
#include <tracecodec/rapidbin/impl/writer.ipp>
#include <tracecodec/rapidbin/reader/impl/metadata_match.ipp>
#include <tracecodec/rapidbin/reader/impl/renumber.ipp>
#include <tracecodec/rapidbin/reader/impl/selection.ipp>
#include <tracecodec/rapidbin/reader/impl/std_reader.ipp>
#include <tracecodec/rapidbin/reader/impl/std_text.ipp>
#if defined(TRACECODEC_WITH_SIMDJSON)
#include <tracecodec/rapidbin/impl/read_metadata.ipp>
#endif
