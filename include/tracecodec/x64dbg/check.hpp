// Checks a whole x64dbg trace and continues after problems wherever it can.
#pragma once
#include <functional>
#include <utility>

#include "../io/findings.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Template, so that programs that do not check compile none of it.
using report_function = std::function<void(const diagnostic&)>;
template <class Report>
check_summary check_all(io::input in, const Report& report, const check_options& options);
}  // namespace detail

// Checks the trace in constant memory, including at most 1.5 MiB for a cache of memory values.
// Calls report(const diagnostic&) in file order, at most options.each times for each rule. A
// final report for each rule counts the rest. Errors of the reader are reported; exceptions of
// `report` are passed on.
template <class Report>
check_summary check(io::input in, Report&& report, const check_options& options = {}) {
  return detail::check_all<detail::report_function>(
      std::move(in), [&report](const diagnostic& d) { report(d); }, options);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
