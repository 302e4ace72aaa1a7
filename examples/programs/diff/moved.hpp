// Finds where addresses moved between two runs (--relocate auto), and prints what it finds.
#pragma once
#include <tracecodec/analysis/find_relocation.hpp>

#include <string>

#include "../common/json.hpp"
#include "input.hpp"

namespace diff {

// Returns true if both traces can be read again, and their ips are addresses.
bool can_find_moved(const input& a, const input& b) noexcept;
// Reads both traces, and finds the regions that moved. The part of a damaged trace before the damage
// is used. Throws usage_error if can_find_moved() returns false.
analysis::found_relocation find_moved(const input& a, const input& b);

// Adds a line for each region that moved, and a line about the share of the code that agrees.
void add_moved(std::string& text, const analysis::found_relocation& found);
// Adds the regions as an object.
void add_moved(examples::json& to, const analysis::found_relocation& found);

}  // namespace diff
