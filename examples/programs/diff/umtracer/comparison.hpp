// Format-specific functions for comparing UMTracer traces. They compare system calls, contexts and
// thread ends.
#pragma once
#include "../format_comparison.hpp"

namespace diff::umtracer {

extern const format_comparison comparison;

}  // namespace diff::umtracer
