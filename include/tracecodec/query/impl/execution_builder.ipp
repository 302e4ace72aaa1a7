#pragma once
#include <algorithm>

#include "../execution_builder.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC void execution_builder::end_run() {
  if (run_.mask == 0) return;
  to_.add(ip_ >> execution_granule_bits, run_);
  run_.mask = 0;
  ++runs_;
}

TRACECODEC_FUNC void execution_builder::add(const feed::columns& batch) {
  const auto& ips = batch.ip();
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t ip = ips[row];
    if (ip >> execution_granule_bits != ip_ >> execution_granule_bits || ip <= ip_) end_run();
    if (run_.mask == 0) run_.at = batch.first() + row;
    run_.mask |= byte_mask{1} << (ip & (longest_run - 1));
    ip_ = ip;
  }
}

TRACECODEC_FUNC void execution_builder::continue_from(const execution_index& earlier,
                                                      feed::column_source& trace,
                                                      std::uint64_t end) {
  // The run that is not complete at `end` has at most `longest_run` instructions. One more shows
  // where it begins.
  execution_builder last;
  trace.move_to(end - std::min(end, longest_run + 1));
  trace.want(columns());
  for (feed::columns batch; trace.position() < end &&
                            trace.next(batch, static_cast<std::size_t>(end - trace.position()));)
    last.add(batch);
  run_ = last.run_;
  ip_ = last.ip_;
  to_.continue_from(earlier.postings(), run_.mask != 0 ? run_.at : end);
}

TRACECODEC_FUNC void execution_builder::write(index_writer& to) {
  end_run();
  posting_writer postings(to, section_kind::executions, execution_form);
  to_.finish(postings);
  postings.finish();
}

}  // namespace tracecodec::query
