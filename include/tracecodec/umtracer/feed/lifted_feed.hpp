// UMTracer traces as simulator instructions, with any disassembler; feed.hpp has the usual one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../../x86/lifted_batch.hpp"
#include "../reader.hpp"
#include "lift.hpp"

namespace tracecodec::umtracer {

using x86::outcome;

// One instruction. index() is the id of its record. Valid as long as its batch.
class instruction_view : public x86::lifted_view<x86::lifted> {
 public:
  TRACECODEC_INLINE constexpr instruction_view(const x86::lifted* l, std::uint64_t target,
                                               const reader* trace,
                                               const x86::lifted* /*front*/) noexcept
      : lifted_view(l, target), trace_(trace) {}

  // The record that it comes from, with the values of its operands.
  [[nodiscard]] record_view execution() const { return (*trace_)[index()]; }
  // Its row in the instruction table.
  [[nodiscard]] std::size_t row() const { return trace_->row_of(execution()); }
  [[nodiscard]] std::span<const std::byte> code() const {
    return trace_->instructions().code(row());
  }
  [[nodiscard]] constexpr const reader& trace() const noexcept { return *trace_; }

 private:
  const reader* trace_;
};

using instruction_batch = x86::lifted_batch<instruction_view, x86::lifted, const reader*>;

// What a feed delivers, and how it tells branches.
struct feed_options {
  // The id of a thread: only its instructions, none if the trace has no such thread.
  std::optional<std::uint32_t> thread = {};
  // Of categories and mnemonics, by which branches are told; without them their code bytes tell.
  std::shared_ptr<const umtracer::names> names = {};
};

// A trace's instruction records as a feed (feed::stream, and a range): all threads in order with
// the thread as asid, or one. A conditional branch is taken unless its record says that it was not
// executed (flag 0x04), or the next record of the thread is what follows it; every other branch
// always. The target is the next instruction of the same
// thread; where the thread ends or goes on elsewhere (an exception, a gap in the instrumentation),
// outcome() is estimated, and the target the one that the record's values give, 0 if none. Operands
// are those of the trace's own decoding. Errors are the reader's, thrown when all before the bad
// record is delivered.
template <x86::disassembler D> class lifted_feed : public feed::iterable<lifted_feed<D>> {
 public:
  using batch_type = instruction_batch;

  explicit lifted_feed(reader trace, feed_options options = {})
      : trace_(std::make_unique<const reader>(std::move(trace))),
        options_(std::move(options)),
        lifter_(*trace_, options_.names.get()),
        batch_(batch_size) {}
  explicit lifted_feed(const std::string& folder, feed_options options = {})
      : lifted_feed(reader(folder), std::move(options)) {}

  // Up to 1,024 instructions; none at the end. They are valid until the next call. Throws
  // trace_error as the reader, again at each call until rewind().
  batch_type next() {
    if (failure_) std::rethrow_exception(failure_);
    std::size_t n = 0;
    try {
      for (; n < batch_.size() && find(); ++n) take(batch_[n]);
      if (!find() && n == 0) trace_->files().check();
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      if (n == 0) throw;
    }
    return {std::span<const x86::lifted>(batch_).first(n), trace_.get(),
            !failure_ && at_ == trace_->size(), trace_->threads().size() == 1};
  }

  // Moves `n` instructions on, or to the end; returns how many. Stops at a bad record, for which
  // next() throws. Looks at each record on the way, without lifting it.
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
    try {
      for (; done < n && !failure_ && find(); ++done) ++at_;
    } catch (const trace_error&) {
      failure_ = std::current_exception();
    }
    return done;
  }

  // Back to the first instruction, also after an error.
  void rewind() {
    at_ = 0;
    failure_ = nullptr;
  }

  // The instructions, of the chosen thread. Looks at every record.
  std::optional<std::uint64_t> count() {
    if (count_) return count_;
    const std::uint64_t at = std::exchange(at_, 0);
    const auto failure = std::exchange(failure_, nullptr);
    count_ = skip(trace_->size());
    at_ = at;
    failure_ = failure;
    return count_;
  }

  // The part of the trace's records that is passed, 0 to 1; 1 for a trace without records.
  [[nodiscard]] std::optional<double> progress() const {
    return trace_->size() == 0 ? 1.0
                               : static_cast<double>(at_) / static_cast<double>(trace_->size());
  }
  [[nodiscard]] const std::string& name() const { return trace_->files().folder(); }
  [[nodiscard]] const reader& trace() const { return *trace_; }

  // How many instructions had more operands than a record holds.
  [[nodiscard]] std::uint64_t lost_operands() const { return counts_.clipped; }
  // Of those lifted so far; of a trace read twice once.
  [[nodiscard]] x86::lift_counts counts() const { return counts_; }

 private:
  static constexpr std::size_t batch_size = 1024;

  // Moves to the next record that is wanted, or to the end.
  TRACECODEC_INLINE bool find() {
    for (; at_ != trace_->size(); ++at_) {
      const record_view r = (*trace_)[at_];
      if (r.type() == exec_type::instruction &&
          (!options_.thread || r.thread() == *options_.thread))
        return true;
    }
    return false;
  }

  TRACECODEC_INLINE void take(x86::lifted& l) {
    const record_view r = (*trace_)[at_];
    const lifted_row& row = lifter_(r, l);
    if (l.kind < x86::kind::not_branch) follow(r, row, l);
    if (at_ >= counted_to_) {
      counted_to_ = at_ + 1;
      counts_.add(l);
    }
    ++at_;
  }

  void follow(const record_view& r, const lifted_row& row, x86::lifted& l) const {
    l.taken = l.kind != x86::kind::conditional || (r.flags() & exec_flags::not_executed) == 0;
    const auto next = successor(r);
    // Loops carry no flag. One whose target is what follows it is taken all the same.
    const std::uint64_t behind = l.ip + row.length;
    if (l.kind == x86::kind::conditional && l.taken && next == behind &&
        lifter<D>::estimated_target(row, r) != behind)
      l.taken = false;
    l.outcome = next ? outcome::followed : outcome::estimated;
    if (l.taken) l.target = next ? *next : lifter<D>::estimated_target(row, r);
  }

  // The address of the instruction behind `r` in its thread; nullopt if the thread ends or goes on
  // elsewhere, or if instructions between them were not recorded. What is wrong with that record is
  // said when it is reached.
  [[nodiscard]] std::optional<std::uint64_t> successor(const record_view& r) const {
    const std::int64_t next = trace_->neighbours_of(r.id()).next;
    const auto id = static_cast<std::uint64_t>(next);
    if (next < 0 || id <= r.id() || id >= trace_->size()) return std::nullopt;
    try {
      const record_view behind = (*trace_)[id];
      if (behind.type() != exec_type::instruction || behind.thread() != r.thread() ||
          (behind.flags() & exec_flags::instrumentation_off) != 0)
        return std::nullopt;
      return instruction_address(*trace_, trace_->row_of(behind));
    } catch (const trace_error&) {
      return std::nullopt;
    }
  }

  std::unique_ptr<const reader> trace_;  // views point to it, also when the feed moves
  feed_options options_;
  lifter<D> lifter_;
  std::vector<x86::lifted> batch_;
  std::uint64_t at_ = 0;
  std::exception_ptr failure_ = {};
  x86::lift_counts counts_ = {};
  std::uint64_t counted_to_ = 0;
  std::optional<std::uint64_t> count_ = {};
};

}  // namespace tracecodec::umtracer
