// Feed of a UMTracer trace's instructions, in the form that simulators use. Zydis decodes the
// branches that feed_options::names does not identify, so link with -lZydis. To use another
// disassembler, or x86::no_disassembler, include feed/decoded_feed.hpp instead.
#pragma once
#include "../x86/zydis.hpp"
#include "feed/decoded_feed.hpp"
// This header is always included, because the available columns depend on the functions that it
// declares.
#include "feed/values.hpp"

namespace tracecodec::umtracer {

// Feed of the trace in a folder. Example: trace_feed f("trace folder"); for (const auto& i : f) ...
using trace_feed = decoded_feed<x86::zydis_disassembler>;

}  // namespace tracecodec::umtracer
