// The parts of trace_report that are specific to one format. Without these parts, a report counts
// instructions.
#pragma once
#include <tracecodec/format/facts.hpp>

#include <memory>

#include "own_measures.hpp"

namespace report {

struct format_report {
  const tracecodec::format::facts* format = nullptr;
  // Creates the measures of a new report.
  std::unique_ptr<own_measures> (*measure)() = nullptr;
};

// Returns the parts of format `f`. If the format has no parts, returns a format_report without
// parts.
const format_report& report_of(const tracecodec::format::facts& f) noexcept;

}  // namespace report
