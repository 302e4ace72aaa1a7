// Defines TRACECODEC_OPENS_X64DBG as 1 if this build reads x64dbg traces, otherwise as 0. Reading
// needs simdjson for the header and Zydis for the code.
#pragma once

#if defined(TRACECODEC_WITH_SIMDJSON) && defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_X64DBG 1
#else
#define TRACECODEC_OPENS_X64DBG 0
#endif
