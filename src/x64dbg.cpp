// Compiles the functions of include/tracecodec/x64dbg/ once. TRACECODEC_WITH_SIMDJSON enables
// reading trace headers.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/x64dbg/feed/impl/decoded_feed.ipp>
#include <tracecodec/x64dbg/feed/impl/whole_registers.ipp>
#include <tracecodec/x64dbg/impl/check.ipp>
#include <tracecodec/x64dbg/impl/descriptor.ipp>
#include <tracecodec/x64dbg/impl/memory.ipp>
#include <tracecodec/x64dbg/impl/read_header.ipp>
#include <tracecodec/x64dbg/impl/reader.ipp>
#include <tracecodec/x64dbg/impl/repair.ipp>
#include <tracecodec/x64dbg/impl/skipped_log.ipp>
#include <tracecodec/x64dbg/impl/writer.ipp>
#include <tracecodec/x64dbg/layout/impl/regdump.ipp>
#include <tracecodec/x64dbg/layout/impl/word_names.ipp>
#include <tracecodec/x64dbg/reader/impl/blocks.ipp>
#include <tracecodec/x64dbg/reader/impl/defect.ipp>
#include <tracecodec/x64dbg/reader/impl/index_file.ipp>
#include <tracecodec/x64dbg/reader/impl/resume.ipp>
#include <tracecodec/x64dbg/reader/impl/word_fields.ipp>
