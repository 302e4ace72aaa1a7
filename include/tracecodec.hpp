// Includes the whole library with two exceptions: parts that need an optional library that the
// build lacks, and parts of one format that few programs use (tracecodec/umtracer.hpp lists
// UMTracer's). A program that needs one format includes, for example, tracecodec/champsim.hpp,
// or only tracecodec/champsim/layout.hpp for the record itself.
#pragma once
#include "tracecodec/analysis/activity.hpp"
#include "tracecodec/analysis/diff.hpp"
#include "tracecodec/analysis/distinct.hpp"
#include "tracecodec/analysis/find.hpp"
#include "tracecodec/analysis/frequent.hpp"
#include "tracecodec/analysis/hot_blocks.hpp"
#include "tracecodec/analysis/run.hpp"
#include "tracecodec/analysis/time_line.hpp"
#include "tracecodec/champsim.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/feed/column_row.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/file.hpp"
#include "tracecodec/program/map_json.hpp"
#include "tracecodec/rapidbin.hpp"
#include "tracecodec/rows.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/places.hpp"
#include "tracecodec/trace/reader.hpp"
#include "tracecodec/trace/records.hpp"
#include "tracecodec/tracepack.hpp"
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
