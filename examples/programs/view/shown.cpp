#include "shown.hpp"

#include <tracecodec/trace/places.hpp>

#include <string>
#include <utility>

#include "../common/program.hpp"
#include "format_view.hpp"

namespace view {

namespace trace = tracecodec::trace;

namespace {

// Returns a list of the formats for which `member` is true, such as "x64dbg and UMTracer traces".
std::string traces_with(bool format_view::*member) {
  std::string all;
  for (const format_view* const one : all_views())
    if (one->*member) (all += all.empty() ? "" : " and ") += one->format->title;
  return all + " traces";
}

}  // namespace

void require_besides(const format_view& view, const shown_besides& besides) {
  const auto require = [&view](bool wanted, bool format_view::*member, const char* option) {
    if (wanted && !(view.*member))
      throw examples::usage_error(std::string(option) + " is for " + traces_with(member));
  };
  require(!besides.registers.empty(), &format_view::registers, "--registers");
  require(besides.effects, &format_view::effects, "--effects");
  require(besides.memory.has_value(), &format_view::memory, "--memory");
}

shown_trace show(trace::source from, const std::string& path,
                 const tracecodec::format::open_options& as, const shown_besides& besides) {
  const tracecodec::format::facts& format = from.format();
  const format_view& view = view_of(format);
  trace::reader columns(std::move(from), as);
  columns.columns().keep_batches();
  made_rows rows = view.rows != nullptr ? view.rows(columns.columns(), path, as, besides)
                                        : instructions_shown(columns.columns());
  require_besides(view, besides);
  tracecodec::program_map places = trace::places_of(columns.name(), format, as, rows->modules());
  if (const auto lacking = rows->lacks_for_places(); !places.empty() && !lacking.empty() && as.warn)
    as.warn(columns.name() + ": there is no " + std::string(lacking));
  return {std::move(columns), std::move(rows), std::move(places)};
}

}  // namespace view
