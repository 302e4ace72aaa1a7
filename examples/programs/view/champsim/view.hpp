// The parts of trace_view for ChampSim and CloudSuite traces.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view champsim_view, cloudsuite_view;

}  // namespace view
