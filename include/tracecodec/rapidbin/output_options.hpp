// How events are written, as programs ask for it (format::own_options).
#pragma once
#include "../format/own_option.hpp"
#include "reader/std_text.hpp"

namespace tracecodec::rapidbin {

// Number threads, locks, variables and locations anew, by first appearance in what is written.
struct as_renumbered {};
// Write a part as a trace of its own.
struct as_well_formed {};

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::as_renumbered> = true;
template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::as_well_formed> =
    true;
template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::dialect> =
    true;
