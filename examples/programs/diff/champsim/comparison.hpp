// The parts of a comparison for records of ChampSim and CloudSuite.
#pragma once
#include "../format_comparison.hpp"

namespace diff::champsim {

// Its fit() leaves --record out for a trace that is recognised as another format, if the other trace is not, and
// --map-registers for one whose branches have ChampSim's numbers. A pipe is read as the options say.
extern const format_comparison comparison;

}  // namespace diff::champsim
