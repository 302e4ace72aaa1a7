// Format-specific functions for comparing RapidBin traces and STD text.
#pragma once
#include "../format_comparison.hpp"

namespace diff::rapidbin {

extern const format_comparison comparison, std_comparison;

}  // namespace diff::rapidbin
