// What the addresses of a trace are called: by the map beside it, which trace_record writes, and by
// lists of symbols.
#pragma once
#include <string>
#include <vector>

#include "../config.hpp"
#include "../program/map.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// The map of the trace `name`, and the symbols of open_options; `own` are modules that the trace
// itself tells, if it has no map. Empty if nothing is known. Of RapidBin, whose ips are no addresses,
// there are functions alone, if the symbols are a WebAssembly module: each is a symbol of 2^32 bytes
// where rapidbin::address_map has its instructions. Throws trace_error: as read_program_map(),
// read_symbols() and read_wasm_names(); refused if RapidBin's map is asked for, or a module of the
// symbols is not there; system if what is beside the trace is no file.
TRACECODEC_FUNC program_map places_of(const std::string& name, const format::facts& f,
                                      const format::open_options& o,
                                      std::vector<program_module> own = {});

// Returns the modules of the program that a trace itself names (UMTracer); nothing for other formats. Throws trace_error
// as its reader.
TRACECODEC_FUNC std::vector<program_module> modules_of(source from, const format::open_options& o);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/places.ipp"
#endif
