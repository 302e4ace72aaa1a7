// Feeds of x64dbg traces for simulators. The default disassembler is Zydis, so link with -lZydis.
// For another disassembler include feed/decoded_feed.hpp, which does not need Zydis.
#pragma once
#include "../x86/zydis.hpp"
#include "feed/decoded_feed.hpp"
// This header is always included, because columns depend on which functions are declared.
#include "feed/values.hpp"

namespace tracecodec::x64dbg {

// Feed of an x64dbg trace. Example:
//   trace_feed<target::x64> f("a.trace64");
//   for (const auto& i : f) ...
template <target T, x86::disassembler Disassembler = x86::zydis_disassembler> using trace_feed =
    decoded_feed<T, Disassembler>;

}  // namespace tracecodec::x64dbg
