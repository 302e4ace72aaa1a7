// What a user should know of two traces one of which cannot have what the other has.
#pragma once
#include <tracecodec/analysis/diff.hpp>

#include "input.hpp"

namespace diff {

// Leaves metadata aside if only one of two RapidBin traces has it, with a note: the addresses of the other are made of
// numbers, and would be different everywhere. Before they are opened.
void compare_by_numbers(input& a, input& b);

// Prints notes on differences that come from the formats, or from how numbers were given, and what helps.
void hint(const input& a, const input& b, const analysis::diff_summary& found);

}  // namespace diff
