// List of the formats that have format-specific functions for trace_report.
#include <array>

#include "format_report.hpp"
#include "rapidbin/report.hpp"

namespace report {

namespace {

constexpr std::array<const format_report*, 2> reports{&rapidbin_report, &std_report};

}  // namespace

const format_report& report_of(const tracecodec::format::facts& f) noexcept {
  static constexpr format_report without_parts;
  for (const format_report* const one : reports)
    if (one->format == &f) return *one;
  return without_parts;
}

}  // namespace report
