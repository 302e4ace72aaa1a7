// Notes on differences between two traces that result from the traces' formats.
#pragma once
#include <tracecodec/analysis/diff.hpp>

#include "input.hpp"

namespace diff {

// Prints notes on differences that the formats cause, and on options that avoid these differences.
void hint(const input& a, const input& b, const analysis::diff_summary& found);

}  // namespace diff
