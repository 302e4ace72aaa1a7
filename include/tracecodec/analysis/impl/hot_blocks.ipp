// Implementation of analysis/hot_blocks.hpp.
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
  return wanted | (has.has(column::code) ? has & feed::column_set{column::size, column::index}
                                         : feed::column_set{});
}

TRACECODEC_FUNC std::size_t hot_blocks::add(const feed::columns& batch) {
  const bool has_sizes = trace_->has().has(feed::column::size);
  const bool has_code = trace_->has().has(feed::column::code);
  const auto ips = batch.ip();
  const auto threads = batch.thread();
  const auto branches = batch.is_branch();
  const auto sizes = batch.code_size();
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t ip = ips[row];
    const bool follows = !has_sizes || ip == behind_ || ip == ip_;
    if (begins_ || threads[row] != thread_ || !follows) {
      block_ = &blocks_[ip];
      ++block_->data.executions;
      place_ = 0;
      thread_ = threads[row];
    }
    ++block_->count;
    if (has_code && !block_->data.more) {
      try {
        keep(batch, row);
      } catch (...) {
        failure_ = std::current_exception();
        return row;
      }
    }
    ++place_;
    block_->data.length = std::max(block_->data.length, place_);
    begins_ = branches[row] != 0;
    ip_ = ip;
    if (has_sizes) behind_ = ip + sizes[row];
  }
  return batch.size();
}

// The row, if it is behind those of its block that are kept.
TRACECODEC_FUNC void hot_blocks::keep(const feed::columns& batch, std::size_t row) {
  using feed::column;
  hot_block& b = block_->data;
  const std::uint64_t ip = batch.ip()[row];
  if (!b.code.empty()) {
    const block_instruction& last = b.code.back();
    if (ip != last.ip + last.size) return;
    if (b.code.size() == most_kept) {
      b.more = true;
      return;
    }
  }
  const feed::column_set wanted{column::code, column::text};
  trace_->tell(told_, row, trace_->has() & wanted);
  block_instruction next;
  next.ip = ip;
  next.keep(told_.code()[0]);
  if (trace_->has().has(column::text)) {
    const auto text = told_.text()[0];
    next.text.assign(reinterpret_cast<const char*>(text.data()),
                     std::min(text.size(), block_instruction::longest_text));
  }
  b.code.push_back(std::move(next));
  if (!batch.index().empty()) b.index = batch.index()[row];
}

}  // namespace tracecodec::analysis
