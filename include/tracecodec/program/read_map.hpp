// Reads a program's map from JSON with simdjson (TRACECODEC_WITH_SIMDJSON, -lsimdjson).
#pragma once
#include <cstdint>

#include "../config.hpp"
#include "../io/open.hpp"
#include "map.hpp"

namespace tracecodec {

// Maximum memory, in bytes, for a program's map or a list of symbols.
inline constexpr std::uint64_t program_map_memory = std::uint64_t{1} << 30;

// Reads a map. Keys may be in any order; unknown ones are ignored. Throws trace_error:
// (bad_value), with the place as field, like "modules[3].base", or without one if the text is
// not JSON; (not_a_trace) if there are neither modules nor symbols; (unsupported) if more than
// `memory` bytes are needed; errors of the input. Memory: at most `memory` for the map, and 2
// MiB, or 20 MiB for a long value.
TRACECODEC_FUNC program_map read_program_map(io::input in,
                                             std::uint64_t memory = program_map_memory);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_map.ipp"
#endif
