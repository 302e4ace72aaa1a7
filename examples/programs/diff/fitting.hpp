// How each of two traces is read, where --record and --map-registers are for one of them alone.
#pragma once
#include "compare.hpp"

namespace diff {

// The options for the first trace, and for the second.
struct readings {
  examples::reading a, b;
};

// Leaves --record out for a trace that is recognised as another format, if the other trace is not, and
// --map-registers for one whose branches have ChampSim's numbers. Prints a note for each. A pipe is read as the
// options say.
readings fit(const options& o);

}  // namespace diff
