// Layouts of the records in the files of each format, from their descriptions.
#pragma once
#include <span>

#include "../config.hpp"
#include "../format/layout.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Returns the layouts of format `f`, in the order of the file. In traces of ChampSim,
// CloudSuite and RapidBin, the last record is repeated to the end of the file. For x64dbg,
// returns the layouts for 64-bit programs, or for 32-bit programs if `narrow` is true.
TRACECODEC_FUNC std::span<const format::layout> layouts_of(const format::facts& f,
                                                           bool narrow = false);

// Returns true if the trace `from` is of a 32-bit program and has the narrow layouts of its
// format. Returns false for formats without narrow layouts. The trace must be at its first
// byte. Throws trace_error like the reader of the trace's header.
TRACECODEC_FUNC bool is_narrow(source from);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/layouts.ipp"
#endif
