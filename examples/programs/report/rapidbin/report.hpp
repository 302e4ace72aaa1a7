// The parts of trace_report for RapidBin traces and STD text.
#pragma once
#include "../format_report.hpp"

namespace report {

extern const format_report rapidbin_report, std_report;

}  // namespace report
