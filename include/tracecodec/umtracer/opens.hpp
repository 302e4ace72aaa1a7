// Whether this build makes instructions of UMTracer's traces: with TRACECODEC_WITH_ZYDIS, for the code.
#pragma once

#if defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_UMTRACER 1
#else
#define TRACECODEC_OPENS_UMTRACER 0
#endif
