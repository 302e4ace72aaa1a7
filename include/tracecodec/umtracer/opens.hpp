// Defines TRACECODEC_OPENS_UMTRACER as 1 if this build can convert UMTracer records to
// instructions, which requires Zydis.
#pragma once
#include "../config.hpp"

#if defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_UMTRACER 1
#else
#define TRACECODEC_OPENS_UMTRACER 0
#endif
