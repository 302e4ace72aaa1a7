// Names for the addresses of a trace, from the map next to it, which trace_record writes, and
// from lists of symbols.
#pragma once
#include <string>
#include <vector>

#include "../config.hpp"
#include "../program/map.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Returns the map of the trace `name`, with the symbols of open_options. `own` are modules
// that the trace itself lists; they are used if it has no map. Empty if nothing is known.
//
// RapidBin locations are not addresses. They have only functions, if the symbols are a
// WebAssembly module: each function is a symbol of 2^32 bytes, where rapidbin::address_map has
// its instructions.
//
// Throws trace_error: like read_program_map(), read_symbols() and read_wasm_names(); (refused)
// if a map is specified for RapidBin, or a module of the symbols is unknown; (system) if the
// map next to the trace is not a file.
TRACECODEC_FUNC program_map places_of(const std::string& name, const format::facts& f,
                                      const format::open_options& o,
                                      std::vector<program_module> own = {});

// Returns the modules of the program that a trace itself lists (UMTracer); empty for other
// formats. Throws trace_error like the trace's reader.
TRACECODEC_FUNC std::vector<program_module> modules_of(source from, const format::open_options& o);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/places.ipp"
#endif
