// x64dbg traces as simulator instructions, disassembled with Zydis: link with -lZydis. With another
// disassembler include lifted_feed.hpp, which does not need Zydis.
#pragma once
#include "../x86/zydis.hpp"
#include "feed/lifted_feed.hpp"
#include "feed/values.hpp"  // in every program alike: columns are made of what is declared

namespace tracecodec::x64dbg {

// trace_feed<target::x64> f("a.trace64"); for (const auto& i : f) ...
template <target T, x86::disassembler Disassembler = x86::zydis_disassembler> using trace_feed =
    lifted_feed<T, Disassembler>;

}  // namespace tracecodec::x64dbg
