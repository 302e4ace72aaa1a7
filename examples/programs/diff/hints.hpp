// Notes on two traces, one of which cannot have what the other has.
#pragma once
#include <tracecodec/analysis/diff.hpp>

#include "input.hpp"

namespace diff {

// Prints notes on differences that come from the formats, and on options that avoid them.
void hint(const input& a, const input& b, const analysis::diff_summary& found);

}  // namespace diff
