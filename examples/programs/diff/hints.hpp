// Notes on differences that result from the formats of the traces.
#pragma once
#include <tracecodec/analysis/diff.hpp>

#include "input.hpp"

namespace diff {

// Prints notes on differences that result from the formats of the traces. The notes name options
// that avoid these differences. `relocated` is true if the regions that moved were looked for.
void hint(const input& a, const input& b, const analysis::diff_summary& found, bool relocated);

}  // namespace diff
