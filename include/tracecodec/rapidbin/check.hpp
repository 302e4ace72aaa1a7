// Checks entire traces in RapidBin or STD text. A check continues after a problem if possible.
#pragma once
#include <functional>

#include "../config.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// Callback that receives each finding.
using on_finding = std::function<void(const diagnostic&)>;

// Checks a RapidBin trace. Calls report() for the first options.each findings of each rule, in
// trace order. If a rule has further findings, one call at the end reports how many. `names` points
// to the trace's metadata, or is null. Errors of the reader become findings, and exceptions of
// `report` propagate. Memory use grows with the number of distinct ids, not with the number of
// events.
TRACECODEC_FUNC check_summary check(io::input in, on_finding report, check_options options = {},
                                    const metadata* names = nullptr);

// Checks STD text. Works like check(), except that findings have no offset. Messages contain the
// names of ids in the text.
TRACECODEC_FUNC check_summary check_std(io::input in, on_finding report, check_options options = {},
                                        const metadata* names = nullptr);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
