#include "champsim_rows.hpp"

#include <tracecodec/champsim/watched_feed.hpp>

#if defined(TRACECODEC_WITH_ZSTD)
#include "packed_rows.hpp"
#endif
#include "rows_of.hpp"

namespace view {

namespace {
template <class Record, champsim::branch_rules Rules>
made_rows shown_of(const tracecodec::feed::column_source& from) {
  using feed = champsim::watched_feed<Record, Rules>;
  const auto* const columns = columns_of<feed>(from);
  return columns != nullptr ? std::make_unique<rows_of<feed>>(*columns) : nullptr;
}
template <class Record> made_rows shown_of(const tracecodec::feed::column_source& from) {
  made_rows rows = shown_of<Record, champsim::branch_rules::current>(from);
  return rows ? std::move(rows) : shown_of<Record, champsim::branch_rules::of_2022>(from);
}
}  // namespace

made_rows champsim_shown(const tracecodec::feed::column_source& from) {
  made_rows rows = shown_of<champsim::instruction>(from);
#if defined(TRACECODEC_WITH_ZSTD)
  using packed = tracecodec::tracepack::trace_feed<champsim::instruction, true>;
  if (const auto* const columns = columns_of<packed>(from))
    rows = std::make_unique<rows_of<packed>>(*columns);
#endif
  return rows ? std::move(rows) : shown_of<champsim::cloudsuite_instruction>(from);
}

}  // namespace view
