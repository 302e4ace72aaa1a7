// Defines TRACECODEC_OPENS_X64DBG as 1 if this build can read x64dbg traces, and as 0 otherwise.
// Reading requires simdjson for the header and Zydis for the code.
#pragma once
#include "../config.hpp"

#if defined(TRACECODEC_WITH_SIMDJSON) && defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_X64DBG 1
#else
#define TRACECODEC_OPENS_X64DBG 0
#endif
