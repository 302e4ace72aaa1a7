// UMTracer traces as simulator instructions. Branches that the trace's names do not identify
// are recognised with Zydis: link with -lZydis. To use another disassembler, or
// x86::no_disassembler, include feed/decoded_feed.hpp.
#pragma once
#include "../x86/zydis.hpp"
#include "feed/decoded_feed.hpp"
#include "feed/values.hpp"  // always included, because the available columns depend on it

namespace tracecodec::umtracer {

// Feed of a trace folder: trace_feed f("trace folder"); for (const auto& i : f) ...
using trace_feed = decoded_feed<x86::zydis_disassembler>;

}  // namespace tracecodec::umtracer
