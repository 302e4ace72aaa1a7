// Report of the information that was lost when instructions were converted to ChampSim or
// CloudSuite records.
#pragma once
#include <tracecodec/trace/record_losses.hpp>

#include <functional>
#include <string>

namespace convert {

// Calls note(text) for each kind of loss that occurred. `has_asid` is false if the records have no
// field for a thread.
void report(const tracecodec::trace::record_losses& lost, bool has_asid,
            const std::function<void(const std::string&)>& note);

}  // namespace convert
