#include "shown.hpp"

#include <tracecodec/trace/places.hpp>

#include <utility>

#include "../common/program.hpp"

namespace view {

namespace trace = tracecodec::trace;

shown_trace show(trace::source from, [[maybe_unused]] const std::string& path,
                 const trace::visit_options& as, const shown_besides& besides) {
  const trace::format format = from.format();
  trace::reader columns(std::move(from), as);
  columns.columns().keep_batches();
  made_rows rows;
  if (trace::has_records(format)) {
    rows = champsim_shown(columns.columns());
  } else if (trace::has_events(format)) {
    rows = rapidbin_shown(columns.columns());
#if TRACECODEC_OPENS_UMTRACER
  } else if (format == trace::format::umtracer) {
    rows = umtracer_shown(columns.columns(), as);
#endif
#if TRACECODEC_OPENS_X64DBG
  } else if (format == trace::format::x64dbg) {
    rows = x64dbg_shown(columns.columns(), path, as, besides);
#endif
  }
  if (format != trace::format::x64dbg && !besides.registers.empty())
    throw examples::usage_error("--registers is for x64dbg traces");
  if (format != trace::format::x64dbg && besides.effects)
    throw examples::usage_error("--effects is for x64dbg traces");
  if (format != trace::format::x64dbg && besides.memory)
    throw examples::usage_error("--memory is for x64dbg and UMTracer traces");
  tracecodec::program_map places = trace::places_of(columns.name(), format, as, rows->modules());
  if (trace::has_events(format) && !places.empty() && rows->metadata() == nullptr && as.warn)
    as.warn(columns.name() + ": there is no metadata, which says whose functions --symbols names");
  return {std::move(columns), std::move(rows), std::move(places)};
}

}  // namespace view
