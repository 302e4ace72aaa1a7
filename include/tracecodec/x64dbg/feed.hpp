// Feeds of x64dbg traces for simulators. The default disassembler is Zydis, so programs must link
// with -lZydis. To use another disassembler instead of Zydis, include feed/decoded_feed.hpp.
#pragma once
#include "../x86/zydis.hpp"
#include "feed/decoded_feed.hpp"
// This header is always included, because the available columns depend on the functions that it
// declares.
#include "feed/values.hpp"

namespace tracecodec::x64dbg {

// Feed of an x64dbg trace. Example:
//   trace_feed<target::x64> f("a.trace64");
//   for (const auto& i : f) ...
template <target T, x86::disassembler Disassembler = x86::zydis_disassembler> using trace_feed =
    decoded_feed<T, Disassembler>;

}  // namespace tracecodec::x64dbg
