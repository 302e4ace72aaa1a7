// What a trace says of itself: the program, who recorded it, what it has.
#pragma once
#include <vector>

#include "../config.hpp"
#include "../format/statements.hpp"
#include "../tracepack/about.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// What `from` states before its records, which stands at its first byte. Each name occurs once; what is missing or empty
// is left out.
//
// tracepack   program, arguments, recorder, machine, date, region, comment
// x64dbg      program (its path), arch (x64 or x86), hash_algorithm, hash; then keys that are not x64dbg's, with their
//             values as JSON
// RapidBin    threads, locks, variables, events: the counts in its header
// UMTracer    command_line, bitness, process_id, system, recorder, recorder_command_line, recorder_folder, xed
// others      nothing
//
// Throws trace_error as the readers of these headers.
TRACECODEC_FUNC std::vector<format::statement> about(source from);
// The same of a pack.
TRACECODEC_FUNC std::vector<format::statement> about(const tracepack::about& pack);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/about.ipp"
#endif
