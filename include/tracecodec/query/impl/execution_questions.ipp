#pragma once
#include <algorithm>
#include <string>

#include "../../io/error.hpp"
#include "../execution_questions.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC execution_questions::execution_questions(feed::column_source& trace,
                                                         const execution_index* index)
    : trace_(&trace), index_(index) {
  trace.keep_batches();
}

// Reads instruction `at`, a result of the index, as the only row of the batch.
TRACECODEC_FUNC void execution_questions::read(std::uint64_t at,
                                               const analysis::address_span& ips) {
  trace_->move_to(at);
  trace_->want({feed::column::ip});
  if (trace_->next(batch_, 1) && ips.meets(batch_.ip()[0], 1)) return;
  throw trace_error(trace_errc::corrupt, {.file = std::string(trace_->name()), .record = at},
                    "the index has another address of the instruction than the trace; make the "
                    "index again (trace_index)");
}

TRACECODEC_FUNC std::optional<std::uint64_t> execution_questions::last(
    const analysis::address_span& ips, std::uint64_t before) {
  std::optional<std::uint64_t> found;
  if (index_ != nullptr) {
    found = index_->last(ips, before);
    if (found) read(*found, ips);
    return found;
  }
  each(ips, 0, before, [&](const feed::columns& batch, std::size_t row) {
    found = batch.first() + row;
    return true;
  });
  return found;
}

TRACECODEC_FUNC std::optional<std::uint64_t> execution_questions::first(
    const analysis::address_span& ips, std::uint64_t from) {
  std::optional<std::uint64_t> found;
  each(ips, from, no_end, [&](const feed::columns& batch, std::size_t row) {
    found = batch.first() + row;
    return false;
  });
  return found;
}

TRACECODEC_FUNC void execution_questions::each(const analysis::address_span& ips,
                                               std::uint64_t from, std::uint64_t end,
                                               const take_row& found) {
  // For a large part of the program, reading the trace is faster.
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 12;
  if (index_ != nullptr && ips.last - ips.first < most_bytes) {
    for (auto at = index_->first(ips, from); at && *at < end; at = index_->first(ips, *at + 1)) {
      read(*at, ips);
      if (!found(batch_, 0)) return;
    }
    return;
  }
  trace_->move_to(from);
  trace_->want({feed::column::ip});
  // Small batches are still in the cache when they are searched.
  constexpr std::uint64_t usual = 1024;
  while (trace_->position() < end &&
         trace_->next(batch_, static_cast<std::size_t>(std::min(usual, end - trace_->position()))))
    for (std::size_t row = 0; row != batch_.size(); ++row)
      if (ips.meets(batch_.ip()[row], 1) && !found(batch_, row)) return;
}

}  // namespace tracecodec::query
