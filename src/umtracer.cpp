// Compiles the functions of include/tracecodec/umtracer/ once. TRACECODEC_WITH_PUGIXML enables
// reading metadata.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/umtracer/copy/impl/cut.ipp>
#include <tracecodec/umtracer/feed/impl/decoded_feed.ipp>
#include <tracecodec/umtracer/from_x86/impl/form.ipp>
#include <tracecodec/umtracer/from_x86/impl/registers.ipp>
#include <tracecodec/umtracer/from_x86/impl/writer.ipp>
#include <tracecodec/umtracer/impl/check.ipp>
#include <tracecodec/umtracer/impl/copy.ipp>
#include <tracecodec/umtracer/impl/descriptor.ipp>
#include <tracecodec/umtracer/impl/reader.ipp>
#include <tracecodec/umtracer/impl/writer.ipp>
#include <tracecodec/umtracer/layout/impl/enumeration.ipp>
#include <tracecodec/umtracer/query/impl/module_index.ipp>
#include <tracecodec/umtracer/query/impl/register_effects.ipp>
#include <tracecodec/umtracer/query/impl/registers_at.ipp>
#include <tracecodec/umtracer/reader/impl/record.ipp>
#include <tracecodec/umtracer/reader/impl/table.ipp>
#include <tracecodec/umtracer/reader/impl/tables.ipp>
#include <tracecodec/umtracer/writer/impl/context_writer.ipp>
#include <tracecodec/umtracer/writer/impl/merge.ipp>
#include <tracecodec/umtracer/writer/impl/record_calls.ipp>
#include <tracecodec/umtracer/writer/impl/writer_state.ipp>

#ifdef TRACECODEC_WITH_PUGIXML
#include <tracecodec/umtracer/impl/read_metadata.ipp>
#endif
