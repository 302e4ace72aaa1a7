// Metadata of a RapidBin trace without the macro of the library that reads them.
// expect: requires simdjson: define TRACECODEC_WITH_SIMDJSON
#define TRACECODEC_SEPARATE_COMPILATION
#ifdef FIXED
#define TRACECODEC_WITH_SIMDJSON
#endif
#include <tracecodec/rapidbin.hpp>

auto read() { return tracecodec::rapidbin::read_metadata("metadata.json"); }
