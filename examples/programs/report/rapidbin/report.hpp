// RapidBin and STD text parts of trace_report.
#pragma once
#include "../format_report.hpp"

namespace report {

extern const format_report rapidbin_report, std_report;

}  // namespace report
