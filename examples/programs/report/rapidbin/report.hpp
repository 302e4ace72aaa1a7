// trace_report's functions for RapidBin and STD text.
#pragma once
#include "../format_report.hpp"

namespace report {

extern const format_report rapidbin_report, std_report;

}  // namespace report
