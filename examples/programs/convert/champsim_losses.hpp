// What was lost when instructions became records of ChampSim's kind.
#pragma once
#include <tracecodec/trace/record_losses.hpp>

#include <functional>
#include <string>

namespace convert {

// Calls note(text) for each kind of which there is some. A record without asid has no thread.
void report(const tracecodec::trace::record_losses& lost, bool has_asid,
            const std::function<void(const std::string&)>& note);

}  // namespace convert
