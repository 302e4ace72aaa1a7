// Rows of Tarmac text in trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view tarmac_view;

}  // namespace view
