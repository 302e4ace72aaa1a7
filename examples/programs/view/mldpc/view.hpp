// Rows of ML-DPC traces in trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view mldpc_view;

}  // namespace view
