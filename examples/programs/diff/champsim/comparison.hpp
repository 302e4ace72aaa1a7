// Format-specific parts of a comparison for ChampSim and CloudSuite records.
#pragma once
#include "../format_comparison.hpp"

namespace diff::champsim {

// Comparison whose fit() adjusts the options of a trace that is not a pipe:
// - It ignores --record for a trace that is recognised as another format, unless the other trace is
//   also recognised as another format.
// - It ignores --map-registers for a trace whose branches use ChampSim's register numbers.
extern const format_comparison comparison;

}  // namespace diff::champsim
