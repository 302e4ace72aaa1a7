// Rows of Tenet's traces in trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view tenet_view;

}  // namespace view
