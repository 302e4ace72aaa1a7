// Checks a trace of any format.
#pragma once
#include "../config.hpp"
#include "../format/check.hpp"
#include "../io/findings.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Calls report(const diagnostic&) for each violation of the rules of the trace's format, and
// continues after a problem if possible. Also reports errors of the reader. Exceptions thrown by
// `report` propagate. Throws trace_error(refused) for an option that the format does not have, and
// trace_error(unsupported) if this build cannot read the format.
TRACECODEC_FUNC format::check_summary check(source from, const format::on_finding& report,
                                            const check_options& how = {},
                                            const format::open_options& options = {});

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/check.ipp"
#endif
