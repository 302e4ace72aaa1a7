// Feed of a UMTracer trace: its instructions in the form that simulators use. Branches that
// feed_options::names does not identify are recognised with Zydis: link with -lZydis. To use
// another disassembler, or x86::no_disassembler, include feed/decoded_feed.hpp.
#pragma once
#include "../x86/zydis.hpp"
#include "feed/decoded_feed.hpp"
// Always included, because its functions determine which columns the feed supports.
#include "feed/values.hpp"

namespace tracecodec::umtracer {

// Feed of the trace in a folder. Example: trace_feed f("trace folder"); for (const auto& i : f) ...
using trace_feed = decoded_feed<x86::zydis_disassembler>;

}  // namespace tracecodec::umtracer
