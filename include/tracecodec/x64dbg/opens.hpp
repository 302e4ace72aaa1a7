// Whether this build reads x64dbg's traces: with TRACECODEC_WITH_SIMDJSON, for the header, and
// TRACECODEC_WITH_ZYDIS, for the code.
#pragma once

#if defined(TRACECODEC_WITH_SIMDJSON) && defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_X64DBG 1
#else
#define TRACECODEC_OPENS_X64DBG 0
#endif
