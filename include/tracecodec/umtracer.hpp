// Everything for UMTracer traces. The feed needs Zydis (TRACECODEC_WITH_ZYDIS, -lZydis), trace.xml
// pugixml (TRACECODEC_WITH_PUGIXML, -lpugixml).
#pragma once
#include "umtracer/check.hpp"
#include "umtracer/copy.hpp"
#include "umtracer/cut.hpp"
#include "umtracer/enumeration.hpp"
#include "umtracer/explicit_operands.hpp"
#include "umtracer/lifted_feed.hpp"
#include "umtracer/merge.hpp"
#include "umtracer/operands.hpp"
#include "umtracer/query.hpp"
#include "umtracer/reader.hpp"
#include "umtracer/rows.hpp"
#include "umtracer/table_rows.hpp"
#include "umtracer/utf16.hpp"
#include "umtracer/writer.hpp"
#include "umtracer/x86_writer.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include "umtracer/feed.hpp"
#endif
#if defined(TRACECODEC_WITH_PUGIXML)
#include "umtracer/read_metadata.hpp"
#endif
