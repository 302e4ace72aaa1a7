// The functions of umtracer/query/filter.hpp.
#pragma once
#include "../filter.hpp"

namespace tracecodec::umtracer {

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
