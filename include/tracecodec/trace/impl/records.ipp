// Implementation of trace/records.hpp. This is the only file that instantiates the records of
// every format.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "../open.hpp"
#include "../record_source.hpp"
#include "../records.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::unique_ptr<record_source> open_records(
    source from, const tracecodec::format::open_options& how) {
  return visit(std::move(from), how, [](auto feed) { return make_record_source(std::move(feed)); });
}

TRACECODEC_FUNC records::records(const std::string& path,
                                 const tracecodec::format::open_options& how)
    : records(source(path, how), how) {}
TRACECODEC_FUNC records::records(source from, const tracecodec::format::open_options& how)
    : cursor{from.name(), from.format(), open_records(std::move(from), how)} {}

TRACECODEC_FUNC std::span<const champsim::instruction> records::next(std::size_t most) {
  const std::size_t here = within(std::clamp<std::size_t>(most, 1, most_records));
  if (here == 0) return {};
  auto& from = static_cast<record_source&>(batches());
  from.want_branches(false);
  const record_batch b = from.next(here);
  dropped_operands_ += b.dropped_operands;
  return b.records;
}

TRACECODEC_FUNC std::span<const champsim::instruction> records::next_with_branches(
    std::span<const record_branch>& branches) {
  branches = {};
  const std::size_t here = within(most_records);
  if (here == 0) return {};
  auto& from = static_cast<record_source&>(batches());
  from.want_branches(true);
  const record_batch b = from.next(here);
  dropped_operands_ += b.dropped_operands;
  branches = b.branches;
  return b.records;
}

TRACECODEC_FUNC void records::count_losses() noexcept {
  static_cast<record_source&>(batches()).count_losses();
}
TRACECODEC_FUNC const record_losses& records::losses() const noexcept {
  return static_cast<const record_source&>(batches()).losses();
}

}  // namespace tracecodec::trace
