// Includes the headers for UMTracer traces: reader, writer, check, rows and feed. The feed requires
// Zydis (define TRACECODEC_WITH_ZYDIS and link with -lZydis). Reading trace.xml requires pugixml
// (define TRACECODEC_WITH_PUGIXML and link with -lpugixml).
//
// The following parts are in separate headers that this header does not include:
// - queries about memory, registers and records (umtracer/query.hpp)
// - copying a trace or some of its records (umtracer/copy.hpp, umtracer/copy/cut.hpp)
// - writing a trace thread by thread (umtracer/writer/merge.hpp)
// - writing a trace from another format's instructions (umtracer/from_x86/writer.hpp)
#pragma once
#include "umtracer/check.hpp"
#include "umtracer/feed/decoded_feed.hpp"
#include "umtracer/layout/enumeration.hpp"
#include "umtracer/layout/utf16.hpp"
#include "umtracer/reader.hpp"
#include "umtracer/reader/explicit_operands.hpp"
#include "umtracer/reader/operands.hpp"
#include "umtracer/rows.hpp"
#include "umtracer/rows/tables.hpp"
#include "umtracer/writer.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include "umtracer/feed.hpp"
#else
namespace tracecodec::umtracer {
// Declared only, so that the compiler names the macro.
class [[deprecated("define TRACECODEC_WITH_ZYDIS and link with -lZydis")]] trace_feed;
}  // namespace tracecodec::umtracer
#endif
#if defined(TRACECODEC_WITH_PUGIXML)
#include "umtracer/read_metadata.hpp"
#else
namespace tracecodec::umtracer {
// Does not compile if it is called.
template <class Files> metadata read_metadata(const Files&) {
  static_assert(sizeof(Files) == 0,
                "reading trace.xml requires pugixml: define TRACECODEC_WITH_PUGIXML and link with "
                "-lpugixml");
  return {};
}
}  // namespace tracecodec::umtracer
#endif
