// The functions of umtracer/query/filter.hpp.
#pragma once
#include "../filter.hpp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC bool filter_test::operator()(const record_view& r) const {
  if (filter_.thread && r.thread() != *filter_.thread) return false;
  if (!filter_.types.has(r.type())) return false;
  return !filter_.module || (r.type() == exec_type::instruction &&
                             trace_->instructions().rows().get<&instruction_record::module_id>(
                                 trace_->row_of(r)) == *filter_.module);
}
TRACECODEC_FUNC bool execution_test::operator()(const record_view& r) const {
  return r.type() == exec_type::instruction &&
         std::binary_search(rows_.begin(), rows_.end(), trace_->row_of(r));
}
}  // namespace detail

TRACECODEC_FUNC record_range<detail::filter_test> filtered(const reader& trace,
                                                           const record_filter& filter) {
  return {trace, filter.from, filter.to, detail::filter_test(trace, filter)};
}

TRACECODEC_FUNC record_range<detail::execution_test> executions(const reader& trace,
                                                                std::uint64_t address,
                                                                std::uint64_t from) {
  std::vector<std::size_t> rows = rows_at(trace, address);
  const std::uint64_t to = rows.empty() ? from : trace.size();
  return {trace, from, to, detail::execution_test(trace, std::move(rows))};
}

}  // namespace tracecodec::umtracer
