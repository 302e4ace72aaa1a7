// Format-specific parts of a comparison for records of ChampSim and CloudSuite.
#pragma once
#include "../format_comparison.hpp"

namespace diff::champsim {

// Comparison whose fit() adjusts the options of a trace that is not a pipe:
// - It ignores --record for a trace that is recognised as another format, if the other trace
//   is not.
// - It ignores --map-registers for a trace whose branches use ChampSim's numbers.
extern const format_comparison comparison;

}  // namespace diff::champsim
