// Format-specific parts of a comparison for UMTracer traces: system calls, contexts and ends
// of threads.
#pragma once
#include "../format_comparison.hpp"

namespace diff::umtracer {

extern const format_comparison comparison;

}  // namespace diff::umtracer
