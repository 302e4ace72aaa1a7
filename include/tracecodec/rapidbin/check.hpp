// Checks a whole RapidBin trace, or its text; never stops at the first problem if it can go on.
#pragma once
#include <functional>

#include "../config.hpp"
#include "../io/open.hpp"
#include "check/rules.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// What is called with each thing that is found.
using on_finding = std::function<void(const diagnostic&)>;

// Calls report(const diagnostic&) in the order of what is found, for each rule at most options.each
// times and then once with how many more there are. `names` is the metadata, or null. What the
// reader throws is reported, what `report` throws is thrown. Memory: that of the different ids,
// not of the events.
TRACECODEC_FUNC check_summary check(io::input in, on_finding report, check_options options = {},
                                    const metadata* names = nullptr);

// The same of STD text: a record is an event, and has no offset. Messages have the names that the text
// or the metadata gives to ids.
TRACECODEC_FUNC check_summary check_std(io::input in, on_finding report, check_options options = {},
                                        const metadata* names = nullptr);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/check.ipp"
#endif
