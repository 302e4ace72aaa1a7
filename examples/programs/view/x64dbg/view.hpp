// trace_view's functions for x64dbg traces.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view x64dbg_view;

}  // namespace view
