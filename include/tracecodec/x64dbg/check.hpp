// Checks a whole x64dbg trace; never stops at the first problem if it can go on.
#pragma once
#include <functional>
#include <utility>

#include "../io/findings.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// A template, so that who does not check compiles none of it.
using report_function = std::function<void(const diagnostic&)>;
template <class Report>
check_summary check_all(io::input in, const Report& report, const check_options& options);
}  // namespace detail

// Checks the trace in constant memory (2 MiB of it remember what memory held). Calls
// report(const diagnostic&) in file order, for each rule at most options.each times and then once
// with how many more there are. What the reader throws is reported, what `report` throws is thrown.
template <class Report>
check_summary check(io::input in, Report&& report, const check_options& options = {}) {
  return detail::check_all<detail::report_function>(
      std::move(in), [&report](const diagnostic& d) { report(d); }, options);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
