// Options for writing RapidBin events. Programs store the options in format::own_options.
#pragma once
#include "../format/own_option.hpp"
#include "reader/std_text.hpp"

namespace tracecodec::rapidbin {

// Option that renumbers threads, locks, variables and locations in order of first appearance
// in the output.
struct as_renumbered {};
// Option that writes a part of a trace as a well-formed trace of its own (well_formed.hpp).
struct as_well_formed {};

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::as_renumbered> = true;
template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::as_well_formed> =
    true;
template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::dialect> =
    true;
