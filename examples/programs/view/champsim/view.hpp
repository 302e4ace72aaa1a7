// ChampSim and CloudSuite parts of trace_view.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view champsim_view, cloudsuite_view;

}  // namespace view
