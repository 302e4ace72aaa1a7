// trace_view's functions for ChampSim and CloudSuite records.
#pragma once
#include "../format_view.hpp"

namespace view {

extern const format_view champsim_view, cloudsuite_view;

}  // namespace view
