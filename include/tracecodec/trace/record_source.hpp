// Any feed as a source of ChampSim records, or of columns and records, of one type whatever the format is.
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

// Records of consecutive instructions, and how many operands of theirs these have no room for.
struct record_batch {
  std::span<const champsim::instruction> records = {};
  std::uint64_t lost_operands = 0;
  // Where each record's instruction goes; empty unless that is wanted.
  std::span<const record_branch> branches = {};
};

// Costs a virtual call for a batch.
class record_source : public feed::batch_source {
 public:
  // The next records, `most` of them (at least 1) or fewer; none at the end. Valid until the source moves
  // on. Throws as the feed, again at each call until rewind(), and what an instruction throws, again until
  // that is skipped; either way all before it were delivered.
  virtual record_batch next(std::size_t most) = 0;

  // Of what next() delivers from here on, losses() counts what records do not tell.
  void count_losses() noexcept {
    counts_ = true;
    losses_ = {};
  }
  // Whether batches from the next one on have record_batch::branches. At first they do not.
  void want_branches(bool wanted) noexcept { branches_ = wanted; }
  [[nodiscard]] const record_losses& losses() const noexcept { return losses_; }

 protected:
  using batch_source::batch_source;
  // Where they are counted; nullptr: nowhere.
  [[nodiscard]] record_losses* counted() noexcept { return counts_ ? &losses_ : nullptr; }
  [[nodiscard]] bool wants_branches() const noexcept { return branches_; }

 private:
  bool counts_ = false, branches_ = false;
  record_losses losses_ = {};
};

namespace detail {

// As the feeds of ChampSim's own traces do.
template <class Batch>
concept shows_records = requires(const Batch& b) {
  { b.records() } -> std::same_as<std::span<const champsim::instruction>>;
};

// `operands`: how many of its own are lost.
template <class I>
TRACECODEC_INLINE void count(record_losses& in, const I& i, std::uint64_t operands) {
  in.clipped += operands != 0;
  if constexpr (feed::with_doubts<I>) {
    const auto is = [all = i.doubts()](feed::doubt d) {
      return (all & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
    };
    in.incomplete += is(feed::doubt::address);
    in.undecoded += is(feed::doubt::code);
    in.estimated += is(feed::doubt::outcome);
  }
  if constexpr (feed::with_known_thread<I>) {
    const std::uint32_t thread = i.asid();
    in.switches += in.thread && *in.thread != thread;
    in.thread = thread;
    in.branches += i.is_branch();
  }
}

// `Base`, a feed::feed_batches or what is derived from one, with its instructions as records: those that
// the feed shows, as they are, or made in an array that is used again.
template <class Base> class makes_records : public Base {
 public:
  using Base::Base;

 protected:
  // Of records that are made `losses` counts, unless it is nullptr. What the feed shows has none. `More`:
  // whether `losses` may be something, and `with_branches` true.
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
  // Few enough to stay in a processor's first cache until they are read.
  static constexpr std::size_t most_made = 256;

  // Of the first `n` instructions of the feed's batch.
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
    record_losses counted;  // which no one else sees, either
    record_branch* goes = nullptr;
    if constexpr (More) {
      if (losses != nullptr) counted = *losses;
      if (with_branches) goes = outcomes();
    }
    while (n != most && !ends && (this->batch().size() != 0 || this->pull())) {
      const auto from = this->batch();  // which no one else sees, so that it stays in registers
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
      } catch (...) {  // an instruction that is damaged: the next call comes to it again
        this->take(k);
        if (n + k == 0) throw;
        n += k;
        break;
      }
      this->take(end);
      n += end;
      ends = this->batch().size() == 0 && from.ends();
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

// Of any feed. A batch ends where a pass over the trace ends.
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
