#include "view.hpp"

#include <tracecodec/tenet/descriptor.hpp>
#include <tracecodec/tenet/rows.hpp>

#include <memory>
#include <string>

#include "../recorded/rows.hpp"

namespace view {

namespace {

namespace tenet = tracecodec::tenet;

made_rows make_tenet_rows(const tracecodec::feed::column_source& from, const std::string& path,
                          const tracecodec::format::open_options& as,
                          const shown_besides& besides) {
  using rows = recorded_rows<tenet::trace_feed, tenet::row_of>;
  const auto* const columns = columns_of<tenet::trace_feed>(from);
  return columns != nullptr ? std::make_unique<rows>(*columns, path, as, besides) : nullptr;
}

}  // namespace

constexpr format_view tenet_view{.format = &tenet::descriptor::facts,
                                 .rows = make_tenet_rows,
                                 .registers = true,
                                 .effects = true,
                                 .memory = true};

}  // namespace view
