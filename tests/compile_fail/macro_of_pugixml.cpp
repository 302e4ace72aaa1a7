// Metadata of a UMTracer trace without the macro of the library that reads them.
// expect: reading trace.xml requires pugixml: define TRACECODEC_WITH_PUGIXML
#define TRACECODEC_SEPARATE_COMPILATION
#ifdef FIXED
#define TRACECODEC_WITH_PUGIXML
#endif
#include <tracecodec/umtracer.hpp>

auto read(const tracecodec::umtracer::trace_files& files) {
  return tracecodec::umtracer::read_metadata(files);
}
