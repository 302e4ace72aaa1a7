// Format-specific functions for trace_report. Without these functions, a report counts
// instructions.
#pragma once
#include <tracecodec/format/facts.hpp>

#include <memory>

#include "own_measures.hpp"

namespace report {

struct format_report {
  const tracecodec::format::facts* format = nullptr;
  // Creates the format's own measures for a new report.
  std::unique_ptr<own_measures> (*measure)() = nullptr;
};

// Returns the functions of format `f`, or an object without functions if the format has none.
const format_report& report_of(const tracecodec::format::facts& f) noexcept;

}  // namespace report
