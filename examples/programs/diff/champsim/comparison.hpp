// Format-specific functions for comparing ChampSim and CloudSuite records.
#pragma once
#include "../format_comparison.hpp"

namespace diff::champsim {

// Functions for the comparison. fit() adjusts the options of each trace that is not a pipe:
// - It ignores --record for a trace that is recognised as another format, unless both traces are
//   recognised as other formats.
// - It ignores --map-registers for a trace whose branches use ChampSim's register numbers.
extern const format_comparison comparison;

}  // namespace diff::champsim
