#pragma once
#include "../concurrency.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC instruction_time time_of(const feed::columns& batch, std::size_t row) {
  const auto threads = batch.thread();
  const auto times = batch.time();
  return {batch.first() + row, threads.empty() ? 0 : threads[row], times.empty() ? 0 : times[row]};
}

TRACECODEC_FUNC std::optional<instruction_time> read_time(feed::column_source& trace,
                                                          std::uint64_t at) {
  feed::columns row;
  trace.move_to(at);
  trace.want(time_columns(trace.has()));
  if (trace.position() != at || !trace.next(row, 1)) return std::nullopt;
  return time_of(row, 0);
}

TRACECODEC_FUNC bool concurrency::is_possible(const instruction_time& first,
                                              const instruction_time& second) {
  if (first.thread == second.thread) return false;
  if (trace_ == nullptr || first.time == 0 || second.time <= first.time) return true;
  const auto next = next_time(first);
  return !next || *next > second.time;
}

// Returns the first time that the thread stores after the instruction.
TRACECODEC_FUNC std::optional<std::uint64_t> concurrency::next_time(const instruction_time& of) {
  constexpr std::size_t most_known = 65536;
  const auto key = std::pair(of.thread, of.time);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::optional<std::uint64_t> next;
  trace_->move_to(of.index);
  trace_->want(time_columns(trace_->has()));
  feed::columns batch;
  bool is_found = false;
  for (std::size_t n = 0; !is_found && n < most_read && trace_->next(batch); n += batch.size())
    for (std::size_t row = 0; row != batch.size() && !is_found; ++row)
      if (batch.thread()[row] == of.thread && batch.time()[row] != of.time) {
        is_found = true;
        // A thread whose time goes backward proves nothing.
        if (batch.time()[row] > of.time) next = batch.time()[row];
      }
  if (known_.size() == most_known) known_.clear();
  return known_[key] = next;
}

}  // namespace tracecodec::query
