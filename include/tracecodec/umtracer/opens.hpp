// TRACECODEC_OPENS_UMTRACER is 1 if this build converts UMTracer's records to instructions, which takes Zydis.
#pragma once

#if defined(TRACECODEC_WITH_ZYDIS)
#define TRACECODEC_OPENS_UMTRACER 1
#else
#define TRACECODEC_OPENS_UMTRACER 0
#endif
