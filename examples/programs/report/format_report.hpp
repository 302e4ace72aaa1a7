// The parts of trace_report that only one format has. Without parts a report counts instructions.
#pragma once
#include <tracecodec/format/facts.hpp>

#include <memory>

#include "own_measures.hpp"

namespace report {

struct format_report {
  const tracecodec::format::facts* format = nullptr;
  // Returns the measures of a new report.
  std::unique_ptr<own_measures> (*measure)() = nullptr;
};

// Returns the parts of the format `f`; without parts if it has none.
const format_report& report_of(const tracecodec::format::facts& f) noexcept;

}  // namespace report
