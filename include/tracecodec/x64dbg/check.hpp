// Check of a whole x64dbg trace. It continues after a problem if possible.
#pragma once
#include <functional>
#include <utility>

#include "../io/findings.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Implementation of check(). It is a template, so that programs that do not use it do not compile
// it.
using report_function = std::function<void(const diagnostic&)>;
template <class Report>
check_summary check_all(io::input in, const Report& report, const check_options& options);
}  // namespace detail

// Checks the trace in constant memory, of which a cache of memory values takes up to 1.5 MiB.
// Calls report(const diagnostic&) for up to options.each findings of each rule, in file order,
// and then once with the number of further findings. Errors of the reader are reported, and
// exceptions of `report` propagate.
template <class Report>
check_summary check(io::input in, Report&& report, const check_options& options = {}) {
  return detail::check_all<detail::report_function>(
      std::move(in), [&report](const diagnostic& d) { report(d); }, options);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
