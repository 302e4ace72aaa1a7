// Finds symbol names for a trace's addresses. The names come from symbol files and from the map
// file that trace_record writes next to the trace.
#pragma once
#include <string>
#include <vector>

#include "../config.hpp"
#include "../program/map.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Returns the map of the trace `name`, with the symbols of open_options. `own` contains the modules
// that the trace itself lists. These modules are used if the trace's map has no modules. The result
// is empty if there are neither modules nor symbols.
//
// RapidBin locations are not addresses, so RapidBin traces have no modules. If the symbol file is a
// WebAssembly module, each function is a symbol of 2^32 bytes, at the address that
// rapidbin::address_map assigns to the function.
//
// Throws trace_error like read_program_map(), read_symbols() and read_wasm_names(). Throws
// trace_error(refused) if a map is specified for RapidBin, or if the module of a symbol file is
// unknown. Throws trace_error(system) if the map next to the trace is not a file.
TRACECODEC_FUNC program_map places_of(const std::string& name, const format::facts& f,
                                      const format::open_options& o,
                                      std::vector<program_module> own = {});

// Returns the program's modules that a UMTracer trace lists, or an empty vector for other formats.
// Throws trace_error like the reader of the trace.
TRACECODEC_FUNC std::vector<program_module> modules_of(source from, const format::open_options& o);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/places.ipp"
#endif
