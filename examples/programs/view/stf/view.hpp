// Rows of STF traces in trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view stf_view;

}  // namespace view
