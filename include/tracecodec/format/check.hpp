// Result of checking a trace of any format.
#pragma once
#include <cstdint>
#include <functional>

#include "../io/diagnostic.hpp"
#include "../io/findings.hpp"

namespace tracecodec::format {

struct check_summary {
  std::uint64_t records = 0;  // number of records checked
  std::uint64_t errors = 0, warnings = 0, notes = 0;
};

// Callback that receives each finding.
using on_finding = std::function<void(const diagnostic&)>;

// Converts the summary `own` of a format's check to a check_summary. `records` is the number of
// records checked.
template <class Summary> check_summary summary_of(std::uint64_t records, const Summary& own) {
  return {records, own.count(severity::error), own.count(severity::warning),
          own.count(severity::note)};
}

}  // namespace tracecodec::format
