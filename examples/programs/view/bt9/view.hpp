// Rows of BT9 traces in trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view bt9_view;

}  // namespace view
