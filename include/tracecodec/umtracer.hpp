// Everything for UMTracer traces. The feed needs Zydis (TRACECODEC_WITH_ZYDIS, -lZydis), trace.xml
// pugixml (TRACECODEC_WITH_PUGIXML, -lpugixml).
#pragma once
#include "umtracer/check.hpp"
#include "umtracer/copy.hpp"
#include "umtracer/copy/cut.hpp"
#include "umtracer/feed/lifted_feed.hpp"
#include "umtracer/from_x86/writer.hpp"
#include "umtracer/layout/enumeration.hpp"
#include "umtracer/layout/utf16.hpp"
#include "umtracer/query.hpp"
#include "umtracer/reader.hpp"
#include "umtracer/reader/explicit_operands.hpp"
#include "umtracer/reader/operands.hpp"
#include "umtracer/rows.hpp"
#include "umtracer/rows/tables.hpp"
#include "umtracer/writer.hpp"
#include "umtracer/writer/merge.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include "umtracer/feed.hpp"
#endif
#if defined(TRACECODEC_WITH_PUGIXML)
#include "umtracer/read_metadata.hpp"
#endif
