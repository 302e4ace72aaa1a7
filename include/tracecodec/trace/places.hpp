// What the addresses of a trace are called: by the map beside it, which trace_record writes, and by
// lists of symbols.
#pragma once
#include <string>
#include <vector>

#include "../config.hpp"
#include "../program/map.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// The map of the trace `name`, and the symbols of visit_options; `own` are modules that the trace
// itself tells, if it has no map. Empty if nothing is known, and of RapidBin, whose ips are no
// addresses. Throws trace_error: as read_program_map() and read_symbols(); refused if RapidBin's is
// asked for, or a module of the symbols is not there; system if what is beside the trace is no file.
TRACECODEC_LAZY program_map places_of(const std::string& name, format f, const visit_options& o,
                                      std::vector<program_module> own = {});

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/places.ipp"
#endif
