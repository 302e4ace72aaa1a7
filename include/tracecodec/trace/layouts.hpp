// Layouts of the records in each format's files, derived from the descriptions of the records.
#pragma once
#include <span>

#include "../config.hpp"
#include "../format/layout.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Returns the layouts of format `f`, in the order in which the records occur in a file. In traces
// of ChampSim, CloudSuite and RapidBin, the last record is repeated to the end of the file. For
// x64dbg, returns the layouts for 64-bit programs, or for 32-bit programs if `narrow` is true.
TRACECODEC_FUNC std::span<const format::layout> layouts_of(const format::facts& f,
                                                           bool narrow = false);

// Returns true if the traced program is a 32-bit program, so that the trace has the format's
// layouts for 32-bit programs. Returns false for formats without such layouts. The trace must be at
// its first byte. Throws trace_error like the reader of the trace's header.
TRACECODEC_FUNC bool is_narrow(source from);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/layouts.ipp"
#endif
