// Rows of drmemtrace traces in trace_view: the records.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view drmemtrace_view;

}  // namespace view
