// x64dbg parts of trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view x64dbg_view;

}  // namespace view
