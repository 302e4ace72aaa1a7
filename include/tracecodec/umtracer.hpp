// UMTracer traces: reader, writer, check, rows and feed. The feed needs Zydis
// (TRACECODEC_WITH_ZYDIS, -lZydis). Reading trace.xml needs pugixml (TRACECODEC_WITH_PUGIXML,
// -lpugixml). Not included; include these headers separately:
// - umtracer/query.hpp: queries about memory, registers and records
// - umtracer/copy.hpp, umtracer/copy/cut.hpp: copies of a trace, and extracts from one
// - umtracer/writer/merge.hpp: a writer that merges records which arrive thread by thread
// - umtracer/from_x86/writer.hpp: a writer that converts another format's instructions to
//   a UMTracer trace
#pragma once
#include "umtracer/check.hpp"
#include "umtracer/feed/lifted_feed.hpp"
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
#endif
#if defined(TRACECODEC_WITH_PUGIXML)
#include "umtracer/read_metadata.hpp"
#endif
