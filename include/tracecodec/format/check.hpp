// What a check of a trace of any format says in the end.
#pragma once
#include <cstdint>
#include <functional>

#include "../io/diagnostic.hpp"
#include "../io/findings.hpp"

namespace tracecodec::format {

struct check_summary {
  std::uint64_t records = 0;  // that were checked
  std::uint64_t errors = 0, warnings = 0, notes = 0;
};

// Called with each thing that is found.
using on_finding = std::function<void(const diagnostic&)>;

// Returns the counts of a format's own summary, which counted `records`.
template <class Summary> check_summary summary_of(std::uint64_t records, const Summary& own) {
  return {records, own.count(severity::error), own.count(severity::warning),
          own.count(severity::note)};
}

}  // namespace tracecodec::format
