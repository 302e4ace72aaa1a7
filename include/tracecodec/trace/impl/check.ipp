// Implementation of trace/check.hpp.
#pragma once
#include "../check.hpp"
#include "../open.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC format::check_summary check(source from, const format::on_finding& report,
                                            const check_options& how,
                                            const format::open_options& options) {
  require_known_options(from, options);
  format::check_summary sum;
  formats::with(from.format(), [&]<class D>() {
    if constexpr (format::with_check<D>)
      sum = D::check(from.take(), report, how, options);
    else if constexpr (!format::is_readable<D>())
      detail::refuse_unreadable(from, D::missing_library);
    else
      throw trace_error(trace_errc::unsupported, {.file = from.name()},
                        "a trace of this format has no check");
  });
  return sum;
}

}  // namespace tracecodec::trace
