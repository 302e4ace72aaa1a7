// Rows of CVP-1 and CBP2025 traces in trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view cvp1_view, cbp2025_view;

}  // namespace view
