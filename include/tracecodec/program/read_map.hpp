// Reads a program's map from JSON, by simdjson (TRACECODEC_WITH_SIMDJSON, -lsimdjson).
#pragma once
#include <cstdint>

#include "../config.hpp"
#include "../io/open.hpp"
#include "map.hpp"

namespace tracecodec {

// What a program's map, or a list of symbols, may take of memory.
inline constexpr std::uint64_t program_map_memory = std::uint64_t{1} << 30;

// Keys may stand in any order, unknown ones are ignored. Throws trace_error: bad_value, with the
// place as field, "modules[3].base", and without if it is no JSON; not_a_trace if there are neither
// modules nor symbols; unsupported if it needs more than `memory`; what the input throws.
// Memory: that of what it holds, at most `memory`, and 2 MiB, or 20 for a long value.
TRACECODEC_FUNC program_map read_program_map(io::input in,
                                             std::uint64_t memory = program_map_memory);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_map.ipp"
#endif
