// Check of an entire x64dbg trace. The check continues after a problem if possible.
#pragma once
#include <functional>
#include <utility>

#include "../io/findings.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Implementation of check(). This function is a template, so that only programs that call check()
// compile it.
using report_function = std::function<void(const diagnostic&)>;
template <class Report>
check_summary check_all(io::input in, const Report& report, const check_options& options);
}  // namespace detail

// Checks a trace in constant memory, which includes up to 1.5 MiB for a cache of memory values.
// Calls report(const diagnostic&) for the first options.each findings of each rule, in file order.
// If a rule has further findings, one call at the end reports how many. Errors of the reader become
// findings, and exceptions of `report` propagate.
template <class Report>
check_summary check(io::input in, Report&& report, const check_options& options = {}) {
  return detail::check_all<detail::report_function>(
      std::move(in), [&report](const diagnostic& d) { report(d); }, options);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
