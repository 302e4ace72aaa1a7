// The functions of include/tracecodec/umtracer/, compiled once, and the specification's tables, with which its
// descriptions are compared.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/umtracer/copy/impl/cut.ipp>
#include <tracecodec/umtracer/feed/impl/branch_kind.ipp>
#include <tracecodec/umtracer/feed/impl/lifted_feed.ipp>
#include <tracecodec/umtracer/feed/impl/values.ipp>
#include <tracecodec/umtracer/from_x86/impl/form.ipp>
#include <tracecodec/umtracer/from_x86/impl/registers.ipp>
#include <tracecodec/umtracer/from_x86/impl/writer.ipp>
#include <tracecodec/umtracer/impl/check.ipp>
#include <tracecodec/umtracer/impl/copy.ipp>
#include <tracecodec/umtracer/impl/files.ipp>
#include <tracecodec/umtracer/impl/metadata.ipp>
#include <tracecodec/umtracer/impl/reader.ipp>
#include <tracecodec/umtracer/impl/rows.ipp>
#include <tracecodec/umtracer/impl/writer.ipp>
#include <tracecodec/umtracer/layout/impl/common.ipp>
#include <tracecodec/umtracer/layout/impl/context.ipp>
#include <tracecodec/umtracer/layout/impl/decoded.ipp>
#include <tracecodec/umtracer/layout/impl/enumeration.ipp>
#include <tracecodec/umtracer/layout/impl/exec.ipp>
#include <tracecodec/umtracer/layout/impl/instruction.ipp>
#include <tracecodec/umtracer/layout/impl/names.ipp>
#include <tracecodec/umtracer/layout/impl/syscall.ipp>
#include <tracecodec/umtracer/layout/impl/utf16.ipp>
#include <tracecodec/umtracer/query/impl/filter.ipp>
#include <tracecodec/umtracer/query/impl/index.ipp>
#include <tracecodec/umtracer/query/impl/memory_access.ipp>
#include <tracecodec/umtracer/query/impl/memory_at.ipp>
#include <tracecodec/umtracer/query/impl/memory_events.ipp>
#include <tracecodec/umtracer/query/impl/module_index.ipp>
#include <tracecodec/umtracer/query/impl/record_index.ipp>
#include <tracecodec/umtracer/query/impl/register_effects.ipp>
#include <tracecodec/umtracer/query/impl/register_index.ipp>
#include <tracecodec/umtracer/query/impl/registers_at.ipp>
#include <tracecodec/umtracer/reader/impl/addresses.ipp>
#include <tracecodec/umtracer/reader/impl/context_map.ipp>
#include <tracecodec/umtracer/reader/impl/explicit_operands.ipp>
#include <tracecodec/umtracer/reader/impl/instructions.ipp>
#include <tracecodec/umtracer/reader/impl/record.ipp>
#include <tracecodec/umtracer/reader/impl/register_numbers.ipp>
#include <tracecodec/umtracer/reader/impl/table.ipp>
#include <tracecodec/umtracer/reader/impl/tables.ipp>
#include <tracecodec/umtracer/rows/impl/tables.ipp>
#include <tracecodec/umtracer/writer/impl/context_writer.ipp>
#include <tracecodec/umtracer/writer/impl/merge.ipp>
#include <tracecodec/umtracer/writer/impl/record_calls.ipp>
#include <tracecodec/umtracer/writer/impl/trace_xml.ipp>

#ifdef TRACECODEC_WITH_PUGIXML
#include <tracecodec/umtracer/impl/read_metadata.ipp>
#endif
