// Implements analysis/hot_blocks.hpp.
#pragma once
#include <algorithm>
#include <utility>

#include "../hot_blocks.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC hot_blocks::hot_blocks(feed::column_source& trace, std::size_t capacity)
    : trace_(&trace), blocks_(capacity) {
  trace.keep_batches();
}

TRACECODEC_FUNC feed::column_set hot_blocks::columns() const noexcept {
  using feed::column;
  const feed::column_set wanted{column::ip, column::thread, column::is_branch};
  const feed::column_set has = trace_->has();
  return wanted | (has & feed::column_set{column::size}) |
         (has.has(column::code) ? has & feed::column_set{column::index} : feed::column_set{});
}

// Returns true if the instruction at `ip` is the next one to store for block `b`.
TRACECODEC_FUNC bool hot_blocks::is_new(const hot_block& b, std::uint64_t ip) noexcept {
  if (b.more) return false;
  return b.code.empty() || ip == b.code.back().ip + b.code.back().size;
}

TRACECODEC_FUNC std::size_t hot_blocks::add(const feed::columns& batch) {
  const bool has_sizes = trace_->has().has(feed::column::size);
  const bool has_code = trace_->has().has(feed::column::code);
  const auto ips = batch.ip();
  const auto threads = batch.thread();
  const auto branches = batch.is_branch();
  const auto sizes = batch.code_size();
  // Use a local copy, so that the compiler can keep the state in registers.
  state s = state_;
  const auto stop = [&](std::size_t row) {
    state_ = s;
    return row;
  };
  for (std::size_t row = 0, n = batch.size(); row != n; ++row) {
    const std::uint64_t ip = ips[row];
    const bool follows = !has_sizes || ip == s.next_ip || ip == s.ip;
    if (s.begins || threads[row] != s.thread || !follows) {
      s.block = &blocks_[ip];
      ++s.block->data.executions;
      s.place = 0;
      s.thread = threads[row];
    }
    ++s.block->count;
    if (has_code && is_new(s.block->data, ip)) {
      try {
        keep(s.block->data, batch, row);
      } catch (...) {
        failure_ = std::current_exception();
        return stop(row);
      }
    }
    ++s.place;
    s.block->data.length = std::max(s.block->data.length, s.place);
    s.begins = branches[row] != 0;
    s.ip = ip;
    if (has_sizes) s.next_ip = ip + sizes[row];
  }
  return stop(batch.size());
}

TRACECODEC_FUNC void hot_blocks::keep(hot_block& b, const feed::columns& batch, std::size_t row) {
  using feed::column;
  if (b.code.size() == most_kept) {
    b.more = true;
    return;
  }
  const feed::column_set wanted{column::code, column::text};
  trace_->read_row(row_, row, trace_->has() & wanted);
  block_instruction next;
  next.ip = batch.ip()[row];
  next.keep(row_.code()[0]);
  if (trace_->has().has(column::text)) {
    const auto text = row_.text()[0];
    next.text.assign(reinterpret_cast<const char*>(text.data()),
                     std::min(text.size(), block_instruction::longest_text));
  }
  b.code.push_back(std::move(next));
  if (!batch.index().empty()) b.index = batch.index()[row];
}

}  // namespace tracecodec::analysis
