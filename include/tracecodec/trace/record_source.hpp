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

namespace tracecodec::trace {

// Records of consecutive instructions, and how many operands of theirs these have no room for.
struct record_batch {
  std::span<const champsim::instruction> records = {};
  std::uint64_t lost_operands = 0;
};

// Costs a virtual call for a batch.
class record_source : public feed::batch_source {
 public:
  // The next records, `most` of them (at least 1) or fewer; none at the end. Valid until the source moves
  // on. Throws as the feed, again at each call until rewind(), and what an instruction throws, again until
  // that is skipped; either way all before it were delivered.
  virtual record_batch next(std::size_t most) = 0;

 protected:
  using batch_source::batch_source;
};

namespace detail {

// As the feeds of ChampSim's own traces do.
template <class Batch>
concept shows_records = requires(const Batch& b) {
  { b.records() } -> std::same_as<std::span<const champsim::instruction>>;
};

// `Base`, a feed::feed_batches or what is derived from one, with its instructions as records: those that
// the feed shows, as they are, or made in an array that is used again.
template <class Base> class makes_records : public Base {
 public:
  using Base::Base;

 protected:
  record_batch next_records(std::size_t most) {
    if constexpr (shows_records<typename Base::batch_type>) {
      if (this->batch().size() == 0 && !this->pull()) this->throw_failure();
      const auto all = this->batch().records();
      const record_batch b{all.first(std::min(most, all.size()))};
      this->take(b.records.size());
      return b;
    } else {
      return make(std::min(most, most_made));
    }
  }

 private:
  // Few enough to stay in a processor's first cache until they are read.
  static constexpr std::size_t most_made = 256;

  record_batch make(std::size_t most) {
    if (made_ == nullptr) made_ = std::make_unique<champsim::instruction[]>(most_made);
    std::size_t n = 0;
    std::uint64_t lost = 0;
    bool ends = false;
    while (n != most && !ends && (this->batch().size() != 0 || this->pull())) {
      const auto from = this->batch();  // which no one else sees, so that it stays in registers
      const std::size_t end = std::min(most - n, from.size());
      champsim::instruction* const to = made_.get() + n;
      std::size_t k = 0;
      try {
        for (; k != end; ++k) lost += champsim::set_record(to[k], from[k]);
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
    if (n == 0) this->throw_failure();
    return {{made_.get(), n}, lost};
  }

  std::unique_ptr<champsim::instruction[]> made_ = {};
};

}  // namespace detail

// Of any feed. A batch ends where a pass over the trace ends.
template <feed::stream Feed> class feed_records final
    : public detail::makes_records<feed::feed_batches<Feed, record_source>> {
  using base = detail::makes_records<feed::feed_batches<Feed, record_source>>;

 public:
  explicit feed_records(Feed feed) : base(std::move(feed), feed::columns_known<Feed>()) {}
  record_batch next(std::size_t most) override { return base::next_records(most); }
};

template <feed::stream Feed> std::unique_ptr<record_source> make_record_source(Feed feed) {
  return std::make_unique<feed_records<Feed>>(std::move(feed));
}

}  // namespace tracecodec::trace
