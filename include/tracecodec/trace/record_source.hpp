// Converts any feed into a source of ChampSim records, or of columns and records. The source has
// the same type for all formats.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "../champsim/layout.hpp"
#include "../champsim/record_of.hpp"
#include "../feed/batch_source.hpp"
#include "../feed/column_traits.hpp"
#include "../feed/stream.hpp"
#include "record_instruction.hpp"
#include "record_losses.hpp"

namespace tracecodec::trace {

// Records of consecutive instructions, and the number of operands that did not fit in the records.
struct record_batch {
  std::span<const champsim::instruction> records = {};
  std::uint64_t dropped_operands = 0;
  // Branch of each record's instruction. Empty unless record_source::want_branches(true) was
  // called.
  std::span<const record_branch> branches = {};
};

// Source of ChampSim records. Each batch costs one virtual call.
class record_source : public feed::batch_source {
 public:
  // Returns up to `most` records, or no records at the end. `most` must be at least 1. The records
  // are valid until the position of the source changes. All records before an error are returned
  // before the error is thrown. Every later call throws the error again, until rewind() is called
  // for an error of the feed, or until the instruction is skipped for an error of an instruction.
  virtual record_batch next(std::size_t most) = 0;

  // Starts counting the information that records lack. losses() returns the counts. They include
  // only records that are returned after this call.
  void count_losses() noexcept {
    counts_ = true;
    losses_ = {};
  }
  // Turns record_batch::branches on or off, from the next batch on. Initially, branches are
  // off.
  void want_branches(bool wanted) noexcept { branches_ = wanted; }
  [[nodiscard]] const record_losses& losses() const noexcept { return losses_; }

 protected:
  using batch_source::batch_source;
  // Returns the counters to update, or nullptr if losses are not counted.
  [[nodiscard]] record_losses* counted() noexcept { return counts_ ? &losses_ : nullptr; }
  [[nodiscard]] bool wants_branches() const noexcept { return branches_; }

 private:
  bool counts_ = false, branches_ = false;
  record_losses losses_ = {};
};

namespace detail {

// True for batches that store ChampSim records and return them without a copy, such as the
// batches of ChampSim traces.
template <class Batch>
concept shows_records = requires(const Batch& b) {
  { b.records() } -> std::same_as<std::span<const champsim::instruction>>;
};

// Adds instruction `i` to the counters `in`. `operands` is the number of operands of `i` that
// were lost.
template <class I>
TRACECODEC_INLINE void count(record_losses& in, const I& i, std::uint64_t operands) {
  in.clipped += operands != 0;
  if constexpr (feed::with_uncertainty<I>) {
    const auto is = [all = i.uncertainty()](feed::uncertainty d) {
      return (all & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
    };
    in.incomplete += is(feed::uncertainty::unknown_address);
    in.undecoded += is(feed::uncertainty::undecoded);
    in.estimated += is(feed::uncertainty::estimated_outcome);
  }
  if constexpr (feed::with_known_thread<I>) {
    const std::uint32_t thread = i.asid();
    in.switches += in.thread && *in.thread != thread;
    in.thread = thread;
    in.branches += i.is_branch();
  }
}

// Extension of `Base` with access to ChampSim records. `Base` is feed::feed_batches or a class
// derived from it. The records are the feed's own records if it has any, or are converted into an
// array that is reused.
template <class Base> class makes_records : public Base {
 public:
  using Base::Base;

 protected:
  // Returns the next records. Adds the losses of converted records to `losses`, unless `losses` is
  // null. The feed's own records have no losses. `More` must be true if `losses` can be non-null or
  // `with_branches` can be true.
  template <bool More> record_batch next_records(std::size_t most,
                                                 [[maybe_unused]] record_losses* losses,
                                                 [[maybe_unused]] bool with_branches = false) {
    if constexpr (shows_records<typename Base::batch_type>) {
      if (this->batch().size() == 0 && !this->pull()) this->throw_failure();
      if constexpr (More)
        if (with_branches) most = std::min(most, most_made);
      const auto all = this->batch().records();
      record_batch b{all.first(std::min(most, all.size()))};
      if constexpr (More)
        if (with_branches) b.branches = branches_of(b.records.size());
      this->take(b.records.size());
      return b;
    } else {
      most = std::min(most, most_made);
      if constexpr (More)
        if (losses != nullptr || with_branches) return make<true>(most, losses, with_branches);
      return make<false>(most, nullptr, false);
    }
  }

 private:
  // Maximum number of converted records. The number is small, so that the records stay in the
  // first-level cache until they are read.
  static constexpr std::size_t most_made = 256;

  // Returns the branches of the first `n` instructions of the feed's batch.
  std::span<const record_branch> branches_of(std::size_t n) {
    record_branch* const to = outcomes();
    const auto from = this->batch();
    for (std::size_t k = 0; k != n; ++k) to[k] = record_branch(from[k]);
    return {to, n};
  }
  record_branch* outcomes() {
    if (!outcomes_) outcomes_ = std::unique_ptr<record_branch[]>(new record_branch[most_made]());
    return outcomes_.get();
  }

  template <bool More> record_batch make(std::size_t most, [[maybe_unused]] record_losses* losses,
                                         [[maybe_unused]] bool with_branches) {
    if (!made_)
      made_ = std::unique_ptr<champsim::instruction[]>(new champsim::instruction[most_made]());
    std::size_t n = 0;
    std::uint64_t lost = 0;
    bool ends = false;
    record_losses counted;  // local, so that the compiler can keep it in registers
    record_branch* goes = nullptr;
    if constexpr (More) {
      if (losses != nullptr) counted = *losses;
      if (with_branches) goes = outcomes();
    }
    while (n != most && !ends && (this->batch().size() != 0 || this->pull())) {
      const auto from = this->batch();  // local, so that it stays in registers
      const std::size_t end = std::min(most - n, from.size());
      champsim::instruction* const to = made_.get() + n;
      std::size_t k = 0;
      try {
        for (; k != end; ++k) {
          const auto i = from[k];
          const std::uint64_t operands = champsim::set_record(to[k], i);
          lost += operands;
          if constexpr (More) {
            count(counted, i, operands);
            if (goes != nullptr) goes[n + k] = record_branch(i);
          }
        }
      } catch (...) {  // the next call returns to the damaged instruction
        this->take(k);
        if (n + k == 0) throw;
        n += k;
        break;
      }
      this->take(end);
      n += end;
      ends = this->batch().size() == 0 && from.last_batch();
    }
    if constexpr (More)
      if (losses != nullptr) *losses = counted;
    if (n == 0) this->throw_failure();
    record_batch b{{made_.get(), n}, lost};
    if (goes != nullptr) b.branches = {goes, n};
    return b;
  }

  std::unique_ptr<champsim::instruction[]> made_ = {};
  std::unique_ptr<record_branch[]> outcomes_ = {};
};

}  // namespace detail

// record_source that reads a feed. A batch ends at the end of each pass over the trace.
template <feed::stream Feed> class feed_records final
    : public detail::makes_records<feed::feed_batches<Feed, record_source>> {
  using base = detail::makes_records<feed::feed_batches<Feed, record_source>>;

 public:
  explicit feed_records(Feed feed) : feed_records(feed::columns_known(feed), std::move(feed)) {}
  record_batch next(std::size_t most) override {
    return base::template next_records<true>(most, this->counted(), this->wants_branches());
  }

 private:
  feed_records(feed::column_set has, Feed&& feed) : base(std::move(feed), has) {}
};

template <feed::stream Feed> std::unique_ptr<record_source> make_record_source(Feed feed) {
  return std::make_unique<feed_records<Feed>>(std::move(feed));
}

}  // namespace tracecodec::trace
