// Reads a program's map from JSON with simdjson (TRACECODEC_WITH_SIMDJSON, -lsimdjson).
#pragma once
#include <cstdint>

#include "../config.hpp"
#include "../io/open.hpp"
#include "map.hpp"

namespace tracecodec {

// Default limit in bytes for the memory that a program's map may use.
inline constexpr std::uint64_t program_map_memory = std::uint64_t{1} << 30;

// Reads a map. Keys may be in any order, and unknown keys are ignored. Throws
// trace_error(bad_value) for an invalid value, with a field such as "modules[3].base". For text
// that is not JSON, the error has no field. Throws trace_error(not_a_trace) if there are neither
// modules nor symbols. Throws trace_error(unsupported) if the map needs more than `memory` bytes.
// Errors of the input propagate.
//
// Uses up to `memory` bytes for the map, and 2 MiB for the text, or 20 MiB if a value is long.
TRACECODEC_FUNC program_map read_program_map(io::input in,
                                             std::uint64_t memory = program_map_memory);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_map.ipp"
#endif
