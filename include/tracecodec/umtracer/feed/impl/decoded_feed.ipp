// Implementation of umtracer/feed/decoded_feed.hpp.
#pragma once
#include <memory>

#include "../../reader/addresses.hpp"
#include "../decoded_feed.hpp"
#include "lift.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC record_view instruction_view::execution() const { return (*trace_)[index()]; }
TRACECODEC_FUNC std::size_t instruction_view::row() const { return trace_->row_of(execution()); }
TRACECODEC_FUNC std::span<const std::byte> instruction_view::code() const {
  return trace_->instructions().code(row());
}

}  // namespace tracecodec::umtracer

namespace tracecodec::umtracer::detail {

TRACECODEC_FUNC trace_instructions::trace_instructions(reader trace, feed_options options,
                                                       x86::any_disassembler code32,
                                                       x86::any_disassembler code64)
    : trace_(std::make_unique<const reader>(std::move(trace))),
      options_(std::move(options)),
      lifter_(std::make_unique<lifter>(*trace_, options_.names.get(), std::move(code32),
                                       std::move(code64))),
      batch_(1024) {}
TRACECODEC_FUNC trace_instructions::trace_instructions(trace_instructions&&) noexcept = default;
TRACECODEC_FUNC trace_instructions& trace_instructions::operator=(trace_instructions&&) noexcept =
    default;
TRACECODEC_FUNC trace_instructions::~trace_instructions() = default;

// Moves to the next selected record, or to the end. Returns false at the end.
TRACECODEC_INLINE bool trace_instructions::find() {
  for (; at_ != trace_->size(); ++at_) {
    const record_view r = (*trace_)[at_];
    if (r.type() == exec_type::instruction && (!options_.thread || r.thread() == *options_.thread))
      return true;
  }
  return false;
}
TRACECODEC_INLINE void trace_instructions::take(x86::executed_instruction& l) {
  const record_view r = (*trace_)[at_];
  const decoded_row& row = (*lifter_)(r, l);
  if (l.kind < x86::kind::not_branch) follow(r, row, l);
  if (at_ >= counted_to_) {
    counted_to_ = at_ + 1;
    counts_.add(l);
  }
  ++at_;
}
TRACECODEC_FUNC void trace_instructions::follow(const record_view& r, const decoded_row& row,
                                                x86::executed_instruction& l) const {
  l.taken = l.kind != x86::kind::conditional || (r.flags() & exec_flags::not_executed) == 0;
  const auto next = successor(r);
  // Loop instructions never have the flag not_executed, so compare addresses. If the target of a
  // branch is the fall-through address, the branch is treated as taken.
  const std::uint64_t fall_through = l.ip + row.length;
  if (l.kind == x86::kind::conditional && l.taken && next == fall_through &&
      lifter::estimated_target(row, r) != fall_through)
    l.taken = false;
  l.outcome = next ? outcome::followed : outcome::estimated;
  if (l.taken) l.target = next ? *next : lifter::estimated_target(row, r);
}
// Returns the address of the instruction that follows `r` in its thread. Returns nullopt if the
// thread ends or continues elsewhere, or if instructions in between were not recorded. Ignores
// errors in the next record, because the feed throws them when it reaches the record.
TRACECODEC_FUNC std::optional<std::uint64_t> trace_instructions::successor(
    const record_view& r) const {
  const std::int64_t next = trace_->neighbours_of(r.id()).next;
  const auto id = static_cast<std::uint64_t>(next);
  if (next < 0 || id <= r.id() || id >= trace_->size()) return std::nullopt;
  try {
    const record_view next_record = (*trace_)[id];
    if (next_record.type() != exec_type::instruction || next_record.thread() != r.thread() ||
        (next_record.flags() & exec_flags::instrumentation_off) != 0)
      return std::nullopt;
    return instruction_address(*trace_, trace_->row_of(next_record));
  } catch (const trace_error&) {
    return std::nullopt;
  }
}

TRACECODEC_FUNC instruction_batch trace_instructions::next() {
  if (failure_) std::rethrow_exception(failure_);
  std::size_t n = 0;
  try {
    for (; n < batch_.size() && find(); ++n) take(batch_[n]);
    if (!find() && n == 0) trace_->files().check();
  } catch (const trace_error&) {
    failure_ = std::current_exception();
    if (n == 0) throw;
  }
  return {std::span<const x86::executed_instruction>(batch_).first(n), trace_.get(),
          !failure_ && at_ == trace_->size(), trace_->threads().size() == 1};
}

TRACECODEC_FUNC std::uint64_t trace_instructions::skip(std::uint64_t n) {
  std::uint64_t done = 0;
  try {
    for (; done < n && !failure_ && find(); ++done) ++at_;
  } catch (const trace_error&) {
    failure_ = std::current_exception();
  }
  return done;
}

TRACECODEC_FUNC void trace_instructions::rewind() {
  at_ = 0;
  failure_ = nullptr;
}

TRACECODEC_FUNC std::optional<std::uint64_t> trace_instructions::count() {
  if (count_) return count_;
  const std::uint64_t at = std::exchange(at_, 0);
  const auto failure = std::exchange(failure_, nullptr);
  count_ = skip(trace_->size());
  at_ = at;
  failure_ = failure;
  return count_;
}

}  // namespace tracecodec::umtracer::detail
