// Options for writing RapidBin events. Programs store the options in format::own_options.
#pragma once
#include "../format/own_option.hpp"
#include "reader/std_text.hpp"

namespace tracecodec::rapidbin {

// Option that renumbers threads, locks, variables and locations by first appearance in the output.
struct as_renumbered {};
// Option that converts a part of a trace to a complete, well-formed trace (see well_formed.hpp).
struct as_well_formed {};

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::as_renumbered> = true;
template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::as_well_formed> =
    true;
template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::dialect> =
    true;
