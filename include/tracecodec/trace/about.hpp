// Reads the statements that a trace contains about its program, its recorder and its content.
#pragma once
#include <vector>

#include "../config.hpp"
#include "../format/statements.hpp"
#include "../tracepack/about.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Returns the statements in the header of `from`. The trace must be at its first byte. Each name
// occurs once. Missing and empty statements are omitted.
//
// tracepack   program, arguments, recorder, machine, date, region, comment
// x64dbg      program (its path), arch (x64 or x86), hash_algorithm, hash; then keys of other
//             programs, with their values as JSON
// RapidBin    threads, locks, variables, events: the counts in the header of the trace
// UMTracer    command_line, bitness, process_id, system, recorder, recorder_command_line,
//             recorder_folder, xed
// others      nothing
//
// Throws trace_error like the reader of the header.
TRACECODEC_FUNC std::vector<format::statement> about(source from);
// Returns the statements of a tracepack.
TRACECODEC_FUNC std::vector<format::statement> about(const tracepack::about& pack);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/about.ipp"
#endif
