// Reads a program's map from JSON with simdjson (TRACECODEC_WITH_SIMDJSON, -lsimdjson).
#pragma once
#include <cstdint>

#include "../config.hpp"
#include "../io/open.hpp"
#include "map.hpp"

namespace tracecodec {

// Default maximum memory in bytes for a program's map.
inline constexpr std::uint64_t program_map_memory = std::uint64_t{1} << 30;

// Reads a map. Keys may be in any order, and unknown keys are ignored. Throws
// trace_error(bad_value) for an invalid value, with a field such as "modules[3].base", and for
// a text that is not JSON, without a field. Throws trace_error(not_a_trace) if there are
// neither modules nor symbols. Throws trace_error(unsupported) if the map needs more than
// `memory` bytes. Errors of the input are passed on. Memory: up to `memory` for the map, and 2
// MiB for the text, or 20 MiB for a long value.
TRACECODEC_FUNC program_map read_program_map(io::input in,
                                             std::uint64_t memory = program_map_memory);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_map.ipp"
#endif
