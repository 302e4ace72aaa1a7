// Part of the implementation of feed/decoded_feed.hpp that does not depend on the disassembler's
// type.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../reader.hpp"
#include "../decoded_feed.hpp"
#include "../look_ahead.hpp"

namespace tracecodec::x64dbg::detail {

template <target T> class lifting<T>::state {
 public:
  state(reader<T> from, const feed_options& options, x86::any_disassembler disassembler)
      : reader_(std::move(from)),
        options_(options),
        lifter_(std::move(disassembler)),
        held_(options.reach, options.registers || options.effects, options.effects),
        mapped_(reader_.window().from().mapped()),
        partial_(options.repair),
        special_(options.thread || options.repair || options.effects) {
    reader_.on_skipped([this](const skipped_bytes& s) {
      cut_off(!s.why);
      if (!options_.skipped || s.offset < reported_to_) return;
      reported_to_ = s.offset + 1;
      options_.skipped(s);
    });
  }

  instruction_batch<T> next() {
    drop_delivered();
    for (;;) {
      const std::span<const executed_instruction> all = held_.ready();
      if (!all.empty()) {
        if (options_.effects) held_.find_files_after(all.size());
        delivered_ = all.size();
        const bool one_thread = threads_.size() == 1 && reader_.gaps() == 0;
        return {all, held_.files(), held_.ends_with(all.size()), one_thread};
      }
      if (ended_) {
        if (failure_) std::rethrow_exception(failure_);
        return {};
      }
      read();
    }
  }

  std::uint64_t skip(std::uint64_t n) {
    drop_delivered();
    std::uint64_t done = std::min(n, held_.held());
    held_.drop(done);
    if (done == n || ended_) return done;
    held_.pass_some();
    const std::uint64_t from = reader_.index();
    until_end([&] {
      if (!options_.thread) {
        reader_.seek(from + std::min(n - done, ~from), options_.index);
        return;
      }
      instruction<T> i;
      while (done != n && reader_.next(i)) done += i.thread.value_or(0) == options_.thread;
    });
    return options_.thread ? done : done + reader_.index() - from;
  }

  void rewind() {
    reader_.seek(0);
    held_.clear();
    threads_.clear();
    thread_ = nullptr;
    partial_ = options_.repair;
    delivered_ = 0;
    ended_ = false;
    failure_ = nullptr;
  }

  std::optional<std::uint64_t> count() {
    if (options_.index != nullptr && !options_.thread) return options_.index->instructions();
    if (count_) return count_;
    const io::input& in = reader_.window().from();
    if (!in.rewindable())
      throw trace_error(trace_errc::refused, {.file = reader_.name()},
                        "cannot be read a second time");
    block_reader<T> again(
        in.mapped() ? io::open_bytes(in.bytes(), reader_.name(), {.compression = io::codec::none})
                    : io::open_input(reader_.name(), in.options()),
        block_options{options_.repair});
    std::uint64_t n = 0;
    try {
      block<T> b;
      while (again.next(b)) n += !options_.thread || again.thread().value_or(0) == options_.thread;
    } catch (const trace_error&) {
      // Ignore the error, because next() throws it, and count the instructions before the error.
    }
    return count_ = n;
  }

  [[nodiscard]] const reader<T>& from() const { return reader_; }
  [[nodiscard]] lift_counts counts() const {
    lift_counts c = counts_;
    c.estimated = held_.estimated();
    return c;
  }

 private:
  struct thread_state {
    // Number of the thread's last instruction if that instruction is a branch, and 0 otherwise.
    std::uint64_t branch = 0;
    // Number of the thread's last instruction. Set only if feed_options::effects is set.
    std::uint64_t last = 0;
    segment_bases bases = {};
  };
  static constexpr std::size_t chunk = 1024;  // number of instructions that read() reads at once

  void drop_delivered() { held_.drop(std::exchange(delivered_, 0)); }

  // Calls f(). If f() throws a trace_error, stores the error and marks the end of the trace.
  template <class F> void until_end(F&& f) {
    try {
      f();
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      ended_ = true;
    }
  }

  // Reads up to `chunk` more instructions into the lookahead buffer. If the buffer is full, makes
  // room instead.
  void read() {
    const std::size_t n = held_.capacity(chunk);
    if (n == 0) return held_.grow();
    until_end([&] { ended_ = !read(n); });
    if (ended_) held_.finish();
  }
  bool read(std::size_t n) {
    instruction<T> i;
    while (n != 0) {
      if (!reader_.next(i)) return false;
      if (special_) [[unlikely]] {
        if (options_.thread && i.thread.value_or(0) != options_.thread) {
          held_.pass(i);
          continue;
        }
        take_closely(i);
      } else {
        take(i);
      }
      --n;
    }
    return true;
  }
  TRACECODEC_INLINE void take(const instruction<T>& i) {
    const std::uint32_t id = i.thread.value_or(0);
    if (thread_ == nullptr || id != thread_id_) [[unlikely]] {
      thread_ = &threads_[id];
      thread_id_ = id;
    }
    if (thread_->branch != 0) held_.follow(std::exchange(thread_->branch, 0), i.ip());
    executed_instruction& l = held_.next();
    const x86::instruction& what = lifter_(i, thread_->bases, l);
    if (l.outcome == outcome::awaited) thread_->branch = held_.next_number();
    if (l.index >= counted_to_) add_to_counts(l);
    held_.push(i, what, mapped_ && !reader_.was_mended());
  }

  // Adds an instruction like take(), and also handles options that most feeds do not use. Marks
  // unknown registers. If feed_options::effects is set, makes the instruction wait for the thread's
  // next instruction.
  void take_closely(const instruction<T>& i) {
    const std::uint64_t number = held_.next_number();
    take(i);
    executed_instruction& l = held_.last();
    l.mended = reader_.was_mended();
    if (partial_) {
      partial_ = !i.before->complete();
      l.partial = partial_;
      if (partial_ && (l.source_sizes[0] != 0 || l.destination_sizes[0] != 0))
        l.complete = false;  // addresses may depend on unknown registers
    } else {
      l.partial = false;
    }
    if (!options_.effects) return;
    held_.go_on(std::exchange(thread_->last, number), number);
    l.open = true;
    l.next = 0;
  }

  // Ends all threads at this point. Unknown outcomes are estimated. `anew` is true if the trace of
  // another process follows.
  void cut_off(bool anew) {
    held_.cut_off();
    if (anew) threads_.clear();
    for (auto& [id, t] : threads_) t.branch = t.last = 0;
    thread_ = nullptr;
    partial_ = true;
  }

  void add_to_counts(const executed_instruction& l) {
    counted_to_ = l.index + 1;
    counts_.add(l);
  }

  reader<T> reader_;
  feed_options options_;
  lifter<T, x86::any_disassembler> lifter_;
  look_ahead<T> held_;
  bool mapped_;
  bool partial_;                   // true while some registers may be unknown
  bool special_;                   // true if take_closely() is needed
  std::uint64_t reported_to_ = 0;  // skipped bytes before this offset have been reported
  // States of the threads. The map is ordered because a malicious trace may contain thread ids that
  // all collide in a hash table.
  std::map<std::uint32_t, thread_state> threads_ = {};
  thread_state* thread_ = nullptr;  // state of thread_id_; nodes of threads_ do not move
  std::uint32_t thread_id_ = 0;
  std::size_t delivered_ = 0;  // size of the batch that the caller still uses
  bool ended_ = false;
  std::exception_ptr failure_ = {};
  lift_counts counts_ = {};
  std::uint64_t counted_to_ = 0;
  std::optional<std::uint64_t> count_ = {};
};

template <target T>
lifting<T>::lifting(io::input in, const feed_options& options, x86::any_disassembler disassembler)
    : state_(std::make_unique<state>(reader<T>(std::move(in), {.repair = options.repair}), options,
                                     std::move(disassembler))) {}
template <target T>
lifting<T>::lifting(io::window at_first_block, trace_header header, const feed_options& options,
                    x86::any_disassembler disassembler)
    : state_(std::make_unique<state>(
          reader<T>(std::move(at_first_block), std::move(header), {.repair = options.repair}),
          options, std::move(disassembler))) {}
template <target T> lifting<T>::lifting(lifting&&) noexcept = default;
template <target T> lifting<T>& lifting<T>::operator=(lifting&&) noexcept = default;
template <target T> lifting<T>::~lifting() = default;

template <target T> instruction_batch<T> lifting<T>::next() { return state_->next(); }
template <target T> std::uint64_t lifting<T>::skip(std::uint64_t n) { return state_->skip(n); }
template <target T> void lifting<T>::rewind() { state_->rewind(); }
template <target T> std::optional<std::uint64_t> lifting<T>::count() { return state_->count(); }
template <target T> std::optional<double> lifting<T>::progress() const {
  return state_->from().window().progress();
}
template <target T> const std::string& lifting<T>::name() const { return state_->from().name(); }
template <target T> const trace_header& lifting<T>::header() const {
  return state_->from().header();
}
template <target T> lift_counts lifting<T>::counts() const { return state_->counts(); }

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class lifting<target::x86>;
template class lifting<target::x64>;
#endif

}  // namespace tracecodec::x64dbg::detail
