// Checks of whole RapidBin traces and STD texts. They continue after a problem if possible.
#pragma once
#include <functional>

#include "../config.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// Callback that receives each finding.
using on_finding = std::function<void(const diagnostic&)>;

// Checks a RapidBin trace. Calls report(const diagnostic&) for up to options.each findings of
// each rule, in order, and then once with the number of further findings. `names` is the trace's
// metadata, or null. Errors that the reader throws are reported, and exceptions of `report`
// propagate. Memory is linear in the number of different ids, not of events.
TRACECODEC_FUNC check_summary check(io::input in, on_finding report, check_options options = {},
                                    const metadata* names = nullptr);

// Checks STD text. Works like check(), but findings have no offset. Messages contain the names of
// ids in the text.
TRACECODEC_FUNC check_summary check_std(io::input in, on_finding report, check_options options = {},
                                        const metadata* names = nullptr);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
