// trace_view's functions for UMTracer traces.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view umtracer_view;

}  // namespace view
