#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "../../io/error.hpp"
#include "../memory_questions.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC memory_questions::memory_questions(feed::column_source& trace) : trace_(&trace) {
  trace.keep_batches();
}
TRACECODEC_FUNC memory_questions::memory_questions(feed::column_source& trace,
                                                   const memory_index& index)
    : trace_(&trace), index_(&index) {
  trace.keep_batches();
}

TRACECODEC_FUNC feed::column_set memory_questions::columns_of(const access_query& q) const {
  feed::column_set wanted = time_columns(trace_->has()) | feed::column_set{feed::column::memory};
  if (q.only_changes && trace_->has().has(feed::column::memory_values))
    wanted = wanted | feed::column_set{feed::column::memory_values};
  return wanted;
}

// Returns true if all accesses are looked up one after another. For a large part of memory, reading
// the trace is faster.
TRACECODEC_FUNC bool memory_questions::looks_up(const access_query& q) const noexcept {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 16;
  return index_ != nullptr && q.bytes.last - q.bytes.first < most_bytes;
}

TRACECODEC_FUNC bool memory_questions::read(std::uint64_t at, const access_query& q,
                                            feed::columns& row, feed::column_set wanted) {
  trace_->move_to(at);
  trace_->want(wanted);
  if (trace_->next(row, 1) && has_access(row, 0, q)) return true;
  if (row.size() != 0 && !index_->is_exact(q)) return false;
  throw trace_error(trace_errc::corrupt, {.file = std::string(trace_->name()), .record = at},
                    "the index has a memory access that the trace does not have; make the index "
                    "again (trace_index)");
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_questions::last(const access_query& q,
                                                                    std::uint64_t before) {
  std::optional<std::uint64_t> found;
  if (index_ == nullptr) {
    each(q, 0, before, [&](const feed::columns& batch, std::size_t row) {
      found = batch.first() + row;
      return true;
    });
    return found;
  }
  // If the index is not exact, several of its results may have to be read. A file that cannot be
  // entered in the middle is read from its beginning whenever the position moves back. Therefore
  // read ever larger groups of results, each of them forwards.
  constexpr std::size_t largest_group = 4096;
  std::vector<std::uint64_t> group;
  for (std::size_t most = 1; !found; most = std::min(2 * most, largest_group)) {
    group.clear();
    while (group.size() != most) {
      const auto at = index_->last(q, before);
      if (!at) break;
      group.push_back(before = *at);
    }
    if (group.empty()) break;
    for (auto at = group.rbegin(); at != group.rend(); ++at)
      if (read(*at, q, batch_, columns_of(q))) found = *at;
  }
  return found;
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_questions::indexed_last(
    const access_query& q, std::uint64_t before) const {
  return index_->last(q, before);
}
TRACECODEC_FUNC std::optional<std::uint64_t> memory_questions::indexed_first(
    const access_query& q, std::uint64_t from) const {
  return index_->first(q, from);
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_questions::first(const access_query& q,
                                                                     std::uint64_t from) {
  std::optional<std::uint64_t> found;
  if (index_ != nullptr) {
    found = index_->first(q, from);
    while (found && !read(*found, q, batch_, columns_of(q))) found = index_->first(q, *found + 1);
    return found;
  }
  each(q, from, no_end, [&](const feed::columns& batch, std::size_t row) {
    found = batch.first() + row;
    return false;
  });
  return found;
}

// Stores the instruction that asks, if it is in the batch.
TRACECODEC_FUNC void memory_questions::pass(const feed::columns& batch) {
  if (asking_at_ && *asking_at_ - batch.first() < batch.size())
    asking_ = time_of(batch, static_cast<std::size_t>(*asking_at_ - batch.first()));
}
TRACECODEC_FUNC std::optional<instruction_time> memory_questions::asking() {
  if (!asking_at_ || asking_) return asking_;
  return asking_ = read_time(*trace_, *asking_at_);
}

TRACECODEC_FUNC void memory_questions::each(const access_query& q, std::uint64_t from,
                                            std::uint64_t end, const take_row& found) {
  if (looks_up(q)) {
    for (auto at = index_->first(q, from); at && *at < end; at = index_->first(q, *at + 1))
      if (read(*at, q, batch_, columns_of(q)) && !found(batch_, 0)) return;
    return;
  }
  trace_->move_to(from);
  trace_->want(columns_of(q));
  // Small batches are still in the cache when they are searched.
  while (trace_->position() < end &&
         trace_->next(batch_, static_cast<std::size_t>(
                                  std::min<std::uint64_t>(end - trace_->position(), 1024)))) {
    left_out_ += batch_.left_out();
    pass(batch_);
    for (std::size_t row = 0; row != batch_.size() && batch_.first() + row < end; ++row)
      if (has_access(batch_, row, q) && !found(batch_, row)) return;
    if (passed_) passed_();
  }
}

}  // namespace tracecodec::query
