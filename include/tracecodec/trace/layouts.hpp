// The records that the files of each format are of, as their descriptions lay them out.
#pragma once
#include <span>

#include "../config.hpp"
#include "../format/layout.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// In the order of the file. What one alone, or the last behind a header, describes is repeated to the file's end in
// ChampSim's, CloudSuite's and RapidBin's traces. x64dbg's are those of 64-bit programs, unless `narrow`.
TRACECODEC_FUNC std::span<const format::layout> layouts_of(const format::facts& f,
                                                           bool narrow = false);

// Whether a trace, which is at its first byte, is of a 32-bit program and therefore has the narrow layouts; false of
// formats that have no other ones. Throws trace_error as the reader of its header.
TRACECODEC_FUNC bool is_narrow(source from);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/layouts.ipp"
#endif
