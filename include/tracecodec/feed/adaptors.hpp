// Adaptors that compose at compile time. An adaptor takes a feed by value and is itself a feed:
//   feed | skip(1000) | repeat(3) | limit(5000) | shard(0, 4)
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "../io/error.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

// Number of passes for a `repeat` that never ends.
inline constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

// Feed without the first `n` instructions of another feed. The skipped instructions are not read if
// the file is mapped. They are also not read if the records have a fixed size and the file is a
// multi-block .xz or multi-frame .zst file.
template <stream Feed> class skipped : public iterable<skipped<Feed>> {
 public:
  using batch_type = typename Feed::batch_type;
  skipped(Feed feed, std::uint64_t n) : feed_(std::move(feed)), n_(n) {}

  batch_type next() {
    start();
    return feed_.next();
  }
  std::uint64_t skip(std::uint64_t n) {
    start();
    return feed_.skip(n);
  }
  void rewind() {
    feed_.rewind();
    started_ = false;
  }
  std::optional<std::uint64_t> count() {
    const auto all = feed_.count();
    return all ? std::optional(*all - std::min(*all, n_)) : std::nullopt;
  }
  std::optional<double> progress() const { return feed_.progress(); }

 private:
  void start() {
    if (!started_) feed_.skip(n_);
    started_ = true;
  }
  Feed feed_;
  std::uint64_t n_;
  bool started_ = false;
};

// Feed of at most the first `n` instructions of another feed. The target of the last instruction
// still comes from the instruction after it.
template <stream Feed> class take_feed : public iterable<take_feed<Feed>> {
 public:
  using batch_type = typename Feed::batch_type;
  take_feed(Feed feed, std::uint64_t n) : feed_(std::move(feed)), n_(n), left_(n) {}

  batch_type next() {
    if (left_ == 0) return {};
    batch_type b = feed_.next();
    if (b.size() > left_) b = b.first(static_cast<std::size_t>(left_));
    left_ -= b.size();
    if (left_ == 0) b.mark_last();
    return b;
  }
  std::uint64_t skip(std::uint64_t n) {
    const std::uint64_t done = feed_.skip(std::min(n, left_));
    left_ -= done;
    return done;
  }
  void rewind() {
    feed_.rewind();
    left_ = n_;
  }
  std::optional<std::uint64_t> count() {
    const auto all = feed_.count();
    return all ? std::min(*all, n_) : n_;
  }
  // Returns the larger of two fractions: returned instructions of `n`, and the part of the input
  // that has been read.
  std::optional<double> progress() const {
    const double here =
        static_cast<double>(n_ - left_) / static_cast<double>(std::max<std::uint64_t>(n_, 1));
    const auto input = feed_.progress();
    return input ? std::max(*input, here) : here;
  }

 private:
  Feed feed_;
  std::uint64_t n_, left_;
};

// Feed of `times` passes over another feed, or of an unlimited number of passes if `times` is
// `endless`. A branch at the end of a pass goes to the first instruction of the next pass. More
// than one pass requires an input that can rewind. For a pipe, next() and skip() throw
// trace_error(refused) before they return any instruction.
template <stream Feed> class repeated : public iterable<repeated<Feed>> {
 public:
  using batch_type = typename Feed::batch_type;
  repeated(Feed feed, std::uint64_t times) : feed_(std::move(feed)), times_(times), left_(times) {}

  batch_type next() {
    start();
    while (left_ != 0) {
      batch_type b = feed_.next();
      if (b.size() != 0) {
        if (b.last_batch() && left_ > 1) b.set_next_ip(first_ip_);
        return b;
      }
      wrap();
    }
    return {};
  }
  std::uint64_t skip(std::uint64_t n) {
    start();
    std::uint64_t done = 0;
    while (left_ != 0) {
      done += feed_.skip(n - done);
      if (done == n) break;
      wrap();
    }
    return done;
  }
  void rewind() {
    feed_.rewind();
    left_ = times_;
    started_ = false;
  }
  std::optional<std::uint64_t> count() {
    const auto one = feed_.count();
    if (!one || *one == 0) return one;
    if (times_ == endless || times_ > endless / *one) return std::nullopt;
    return *one * times_;
  }
  std::optional<double> progress() const {
    const auto pass = feed_.progress();
    if (!pass || times_ == endless || times_ == 0) return std::nullopt;
    return (static_cast<double>(times_ - left_) + *pass) / static_cast<double>(times_);
  }

 private:
  void start() {
    if (started_ || times_ < 2) return;
    started_ = true;
    const batch_type b = feed_.next();
    if (b.size() != 0)
      first_ip_ = b[0].ip();
    else
      // The feed is empty, so there is nothing to repeat.
      left_ = 0;
    feed_.rewind();
  }
  void wrap() {
    if (left_ != endless) --left_;
    if (left_ != 0) feed_.rewind();
  }
  Feed feed_;
  std::uint64_t times_, left_;
  std::uint64_t first_ip_ = 0;
  bool started_ = false;
};

// Feed of exactly the instructions that ChampSim's own reader returns, for comparisons with
// ChampSim's results. ChampSim's reader loses the last record of every pass, unless the number of
// records is 1 or a multiple of 127. The instruction before the lost record still has the ip of the
// lost record as its target. In a pipeline, this adaptor must directly follow the trace.
template <stream Feed> class champsim_losses : public iterable<champsim_losses<Feed>> {
 public:
  using batch_type = typename Feed::batch_type;
  explicit champsim_losses(Feed feed) : feed_(std::move(feed)) {}

  batch_type next() {
    if (rest_.size() != 0) return std::exchange(rest_, {});
    batch_type b = feed_.next();
    seen_ += b.size();
    if (b.size() != 0 && b.last_batch() && kept(seen_) != seen_) b = b.first(b.size() - 1);
    return b;
  }
  // Skips whole batches, because only the end of the trace shows which record is lost.
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
    while (done < n) {
      const batch_type b = next();
      if (b.size() == 0) break;
      const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, b.size()));
      rest_ = b.drop(step);
      done += step;
    }
    return done;
  }
  void rewind() {
    feed_.rewind();
    seen_ = 0;
    rest_ = {};
  }
  std::optional<std::uint64_t> count() {
    const auto all = feed_.count();
    return all ? std::optional(kept(*all)) : std::nullopt;
  }
  std::optional<double> progress() const { return feed_.progress(); }

 private:
  static constexpr std::uint64_t kept(std::uint64_t n) { return n < 2 || n % 127 == 0 ? n : n - 1; }
  Feed feed_;
  std::uint64_t seen_ = 0;
  // Remaining instructions of the batch in which skip() stopped.
  batch_type rest_ = {};
};

// Right-hand operands of the pipeline operator |.
struct skip {
  std::uint64_t n;
};
struct limit {
  std::uint64_t n;
};
struct repeat {
  std::uint64_t times = endless;
};
struct as_champsim_reads {};

namespace detail {

// Returns a * b / c. Requires a < c and b <= c. Because the product may need 128 bits, the function
// processes `b` bit by bit and keeps the remainder below `c`.
constexpr std::uint64_t part_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t quotient = 0, rest = 0;
  const auto add = [&](std::uint64_t n) {
    const bool full = rest >= c - n;
    rest = full ? rest - (c - n) : rest + n;
    quotient += full ? 1 : 0;
  };
  for (int bit = 63; bit >= 0; --bit) {
    quotient *= 2;
    add(rest);
    if ((b >> bit & 1) != 0) add(a);
  }
  return quotient;
}

}  // namespace detail

// Part `index` of `of` equal parts. For N instructions, the part consists of the instructions in
// the range [N * index / of, N * (index + 1) / of). Together, all parts cover the whole trace.
// Every branch keeps its target.
struct shard {
  shard(std::uint64_t i, std::uint64_t n) : index(i), of(n) {}
  std::uint64_t index, of;

  // Returns the half-open range of instruction numbers of this part, for a trace of `n`
  // instructions. The calculation cannot overflow if `index` is below `of`.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range(std::uint64_t n) const {
    const auto begin = [&](std::uint64_t i) { return n / of * i + detail::part_of(n % of, i, of); };
    return {begin(index), begin(index + 1)};
  }
};

template <stream Feed> skipped<Feed> operator|(Feed feed, skip s) { return {std::move(feed), s.n}; }
template <stream Feed> take_feed<Feed> operator|(Feed feed, limit l) {
  return {std::move(feed), l.n};
}
template <stream Feed> repeated<Feed> operator|(Feed feed, repeat r) {
  return {std::move(feed), r.times};
}
template <stream Feed> champsim_losses<Feed> operator|(Feed feed, as_champsim_reads) {
  return champsim_losses<Feed>(std::move(feed));
}
// Restricts the feed to one shard. Counts the instructions first. To count the instructions of a
// compressed file, skips through the file once more, or decompresses the whole file if it has no
// index. Throws trace_error(refused) if the feed is endless or cannot be counted (a pipe), or if
// `index` is not below `of`.
template <stream Feed> take_feed<skipped<Feed>> operator|(Feed feed, shard s) {
  if (s.index >= s.of)
    throw trace_error(trace_errc::refused, {},
                      "shard " + std::to_string(s.index) + "/" + std::to_string(s.of) +
                          ": the first number must be less than the second");
  const auto n = feed.count();
  if (!n) throw trace_error(trace_errc::refused, {}, "an endless feed cannot be cut into shards");
  const auto [from, to] = s.range(*n);
  // The last part extends to the end of the feed, so that damage at the end is reported. count()
  // includes only intact records.
  const bool last = s.index + 1 == s.of;
  return std::move(feed) | skip{from} | limit{last ? ~std::uint64_t{0} : to - from};
}

}  // namespace tracecodec::feed
