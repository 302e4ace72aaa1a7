#pragma once
#include <algorithm>
#include <string>

#include "../../io/error.hpp"
#include "../memory_questions.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC memory_questions::memory_questions(feed::column_source& trace) : trace_(&trace) {}
TRACECODEC_FUNC memory_questions::memory_questions(feed::column_source& trace,
                                                   const memory_index& index)
    : trace_(&trace), index_(&index) {}

TRACECODEC_FUNC void memory_questions::go_to(std::uint64_t at) {
  if (at < trace_->position()) trace_->rewind();
  trace_->skip(at - trace_->position());
}

TRACECODEC_FUNC void memory_questions::want(const access_query& q) {
  feed::column_set wanted{feed::column::memory};
  if (q.only_changes && trace_->has().has(feed::column::memory_values))
    wanted = wanted | feed::column_set{feed::column::memory_values};
  trace_->want(wanted);
}

// Returns true if instruction `at`, which is an answer of the index, has such an access.
TRACECODEC_FUNC bool memory_questions::has(std::uint64_t at, const access_query& q) {
  go_to(at);
  want(q);
  if (trace_->next(batch_, 1) && has_access(batch_, 0, q)) return true;
  if (!index_->is_exact()) return false;
  throw trace_error(trace_errc::corrupt, {.file = std::string(trace_->name()), .record = at},
                    "the index has a memory access that the trace does not have; make the index "
                    "again (trace_index)");
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_questions::last(const access_query& q,
                                                                    std::uint64_t before) {
  if (index_ != nullptr) {
    auto at = index_->last(q, before);
    while (at && !has(*at, q)) at = index_->last(q, *at);
    return at;
  }
  std::optional<std::uint64_t> found;
  each(q, 0, before, [&](std::uint64_t at) {
    found = at;
    return true;
  });
  return found;
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_questions::first(const access_query& q,
                                                                     std::uint64_t from) {
  std::optional<std::uint64_t> first;
  each(q, from, no_end, [&](std::uint64_t at) {
    first = at;
    return false;
  });
  return first;
}

TRACECODEC_FUNC void memory_questions::each(const access_query& q, std::uint64_t from,
                                            std::uint64_t end,
                                            const std::function<bool(std::uint64_t)>& found) {
  if (index_ != nullptr) {
    for (auto at = index_->first(q, from); at && *at < end; at = index_->first(q, *at + 1))
      if (has(*at, q) && !found(*at)) return;
    return;
  }
  go_to(from);
  want(q);
  // Small batches are still in the cache when they are searched.
  while (trace_->position() < end && trace_->next(batch_, 1024))
    for (std::size_t row = 0; row != batch_.size() && batch_.first() + row < end; ++row)
      if (has_access(batch_, row, q) && !found(batch_.first() + row)) return;
}

}  // namespace tracecodec::query
