// The whole library, but for what needs an optional library that the build has not got. A program
// that needs one format includes tracecodec/champsim.hpp; one that only needs the record,
// tracecodec/champsim/layout.hpp.
#pragma once
#include "tracecodec/champsim.hpp"
#include "tracecodec/feed/activity.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/feed/diff.hpp"
#include "tracecodec/feed/distinct.hpp"
#include "tracecodec/feed/find.hpp"
#include "tracecodec/feed/frequent.hpp"
#include "tracecodec/feed/hot_blocks.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/feed/open.hpp"
#include "tracecodec/feed/places.hpp"
#include "tracecodec/feed/program_map_json.hpp"
#include "tracecodec/feed/time_line.hpp"
#include "tracecodec/file.hpp"
#include "tracecodec/rapidbin.hpp"
#include "tracecodec/rows.hpp"
#include "tracecodec/umtracer.hpp"
#include "tracecodec/version.hpp"
#include "tracecodec/wire.hpp"
#include "tracecodec/x64dbg/rows.hpp"
#include "tracecodec/x64dbg/writer.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/x64dbg.hpp"
#endif
#if defined(TRACECODEC_WITH_ZYDIS)
#include "tracecodec/umtracer/values.hpp"
#endif
#if defined(TRACECODEC_WITH_SIMDJSON) && defined(TRACECODEC_WITH_ZYDIS)
#include "tracecodec/x64dbg/values.hpp"
#endif
