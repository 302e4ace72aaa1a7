#include "shown.hpp"

#include <tracecodec/trace/places.hpp>
#include <tracecodec/umtracer/opens.hpp>
#include <tracecodec/x64dbg/opens.hpp>

#include <utility>

#include "../common/program.hpp"

namespace view {

namespace trace = tracecodec::trace;

shown_trace show(trace::source from, [[maybe_unused]] const std::string& path,
                 const tracecodec::format::open_options& as, const shown_besides& besides) {
  const tracecodec::format::facts& format = from.format();
  trace::reader columns(std::move(from), as);
  columns.columns().keep_batches();
  made_rows rows;
  if (format.family == "ChampSim") {
    rows = champsim_shown(columns.columns());
  } else if (format.family == "RapidBin") {
    rows = rapidbin_shown(columns.columns());
#if TRACECODEC_OPENS_UMTRACER
  } else if (format.name == "umtracer") {
    rows = umtracer_shown(columns.columns(), as);
#endif
#if TRACECODEC_OPENS_X64DBG
  } else if (format.name == "x64dbg") {
    rows = x64dbg_shown(columns.columns(), path, as, besides);
#endif
  } else {
    rows = instructions_shown(columns.columns());
  }
  if (format.name != "x64dbg" && !besides.registers.empty())
    throw examples::usage_error("--registers is for x64dbg traces");
  if (format.name != "x64dbg" && besides.effects)
    throw examples::usage_error("--effects is for x64dbg traces");
  if (format.name != "x64dbg" && besides.memory)
    throw examples::usage_error("--memory is for x64dbg and UMTracer traces");
  tracecodec::program_map places = trace::places_of(columns.name(), format, as, rows->modules());
  if (format.family == "RapidBin" && !places.empty() && rows->metadata() == nullptr && as.warn)
    as.warn(columns.name() + ": there is no metadata, which says whose functions --symbols names");
  return {std::move(columns), std::move(rows), std::move(places)};
}

}  // namespace view
