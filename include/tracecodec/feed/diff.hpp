// Two feeds side by side: aligned by ip, told where they part and where they meet again.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

// An instruction of a feed, kept to be compared.
struct diff_step {
  std::uint64_t index = 0;  // in the feed, from 0
  std::uint64_t target = 0;
  branch_class branch = branch_class::not_branch;
  champsim::instruction record = {};  // as record_of(), each list in ascending order, then zeros
};

// `i`, which is number `index`, to be compared: formats list the same operands in different orders.
template <instruction I> constexpr diff_step diff_step_of(const I& i, std::uint64_t index) {
  diff_step s{index, i.target(), i.branch(), record_of(i).record};
  const auto sort = [](auto& list) {
    std::sort(list.begin(), std::find(list.begin(), list.end(), 0U));
  };
  sort(s.record.destination_registers);
  sort(s.record.source_registers);
  sort(s.record.destination_memory);
  sort(s.record.source_memory);
  return s;
}

// In what two instructions at the same ip may differ.
struct differences {
  bool registers = false;  // which ones are read or written
  bool memory = false;     // addresses that are read or written
  bool outcome = false;    // the branch's class, taken or not, its target
  [[nodiscard]] constexpr bool any() const noexcept { return registers || memory || outcome; }
};
constexpr differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  const auto &x = a.record, &y = b.record;
  return {x.destination_registers != y.destination_registers ||
              x.source_registers != y.source_registers,
          x.destination_memory != y.destination_memory || x.source_memory != y.source_memory,
          a.branch != b.branch || x.branch_taken != y.branch_taken || a.target != b.target};
}

struct diff_options {
  // So many equal ips in a row are taken for the same way again.
  std::size_t run = 16;
  // So many instructions of each feed at most are searched for it, and held in memory. At least
  // run.
  std::size_t window = 65536;
  // So many instructions before a divergence are told with it.
  std::size_t context = 3;
};

// Where the feeds went different ways. The spans are valid during the report.
struct divergence {
  std::span<const diff_step> before_a, before_b;  // of both the last ones at equal ips
  std::span<const diff_step> only_a, only_b;      // then those until they meet again; or all held
  bool met = false;  // or ended; false: not within the window, and the rest is not compared
};

// Counts of instructions.
struct diff_summary {
  std::uint64_t aligned = 0;                             // at equal ips
  std::uint64_t registers = 0, memory = 0, outcome = 0;  // of those: that differ in this
  std::uint64_t divergences = 0;
  std::uint64_t only_a = 0, only_b = 0;  // between the divergences and where the feeds meet again
  bool met = true;                       // false: the rest of both was not compared
  [[nodiscard]] constexpr bool same() const noexcept {
    return divergences == 0 && registers == 0 && memory == 0 && outcome == 0;
  }
  constexpr diff_summary& operator+=(const diff_summary& s) noexcept {
    aligned += s.aligned;
    registers += s.registers;
    memory += s.memory;
    outcome += s.outcome;
    divergences += s.divergences;
    only_a += s.only_a;
    only_b += s.only_b;
    met = met && s.met;
    return *this;
  }
};

// The instructions of any feed as steps, a batch at a time, for one virtual call: what compares two
// of them is compiled once, and not for each pair of formats.
class diff_source {
 public:
  template <stream Feed> explicit diff_source(Feed feed)
      : held_(std::make_unique<holder<Feed>>(std::move(feed))) {}
  // Adds a batch; false at the end. Throws as the feed.
  bool take(std::deque<diff_step>& to) { return held_->take(to); }

 private:
  struct base {
    base() = default;
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() = default;
    virtual bool take(std::deque<diff_step>& to) = 0;
  };
  template <class Feed> struct holder final : base {
    explicit holder(Feed f) : feed(std::move(f)) {}
    bool take(std::deque<diff_step>& to) override {
      const auto b = feed.next();
      for (std::size_t i = 0; i < b.size(); ++i) to.push_back(diff_step_of(b[i], taken++));
      return b.size() != 0;
    }
    Feed feed;
    std::uint64_t taken = 0;
  };
  std::unique_ptr<base> held_;
};

namespace detail {

// The next instructions of a source, as many as are asked for.
class diff_side {
 public:
  explicit diff_side(diff_source s) : source_(std::move(s)) {}

  // Holds `n` instructions if there are as many, else all; returns how many. What the source throws
  // is thrown by who uses it, when all before it is consumed.
  std::size_t hold(std::size_t n) {
    while (held_.size() < n && !ended_) {
      try {
        ended_ = !source_.take(held_);
      } catch (...) {
        failure_ = std::current_exception();
        ended_ = true;
      }
    }
    return std::min(held_.size(), n);
  }
  [[nodiscard]] const diff_step& operator[](std::size_t i) const { return held_[i]; }
  // Whether the source ends, without an error, behind `n` more at most.
  bool ends_within(std::size_t n) { return hold(n + 1) <= n && !failure_; }
  [[nodiscard]] std::exception_ptr failure() const noexcept { return failure_; }
  void drop(std::size_t n) {
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(n));
  }
  [[nodiscard]] std::vector<diff_step> front(std::size_t n) const {
    return {held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(n)};
  }

 private:
  diff_source source_;
  std::deque<diff_step> held_ = {};
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

// Where two sequences of ips meet again: the i and j with the smallest sum from which on `run` ips
// are equal, or all to the end of both. nullopt if nowhere. O((n + m) run).
inline std::optional<std::pair<std::size_t, std::size_t>> meeting(const diff_side& a, std::size_t n,
                                                                  const diff_side& b, std::size_t m,
                                                                  std::size_t run,
                                                                  bool to_the_end) {
  const auto hash = [run](const diff_side& s, std::size_t at) {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < run; ++i) h = (h ^ s[at + i].record.ip) * 0x9E3779B97F4A7C15U;
    return h ^ h >> 32U;
  };
  std::unordered_map<std::uint64_t, std::size_t> places;  // of b: the first of each hash
  for (std::size_t j = 0; j + run <= m; ++j) places.try_emplace(hash(b, j), j);
  std::optional<std::pair<std::size_t, std::size_t>> best;
  const auto sum = [&best] { return best ? best->first + best->second : ~std::size_t{0}; };
  for (std::size_t i = 0; i + run <= n && i < sum(); ++i) {
    const auto found = places.find(hash(a, i));
    if (found == places.end() || i + found->second >= sum()) continue;
    const std::size_t j = found->second;
    std::size_t k = 0;
    while (k < run && a[i + k].record.ip == b[j + k].record.ip) ++k;
    if (k == run) best = {i, j};
  }
  if (to_the_end && !best) {
    std::size_t k = 0;
    while (k < n && k < m && a[n - 1 - k].record.ip == b[m - 1 - k].record.ip) ++k;
    if (k != 0) best = {n - k, m - k};
  }
  return best;
}

}  // namespace detail

// Compares two feeds to their ends. Of traces with several threads take one
// thread at a time: how threads take turns is no difference between programs.
//
// Calls differs(a, b, differences) for two instructions at the same ip that differ, and
// diverges(divergence) where the ips do. Memory: two windows. Throws what a feed throws, when all
// that is whole is compared.
template <class Differs, class Diverges> diff_summary diff(diff_source a, diff_source b,
                                                           const diff_options& options,
                                                           Differs differs, Diverges diverges) {
  detail::diff_side x(std::move(a)), y(std::move(b));
  diff_summary sum;
  std::deque<std::pair<diff_step, diff_step>> last;  // at equal ips

  const auto compare = [&] {
    const differences d = differences_of(x[0], y[0]);
    ++sum.aligned;
    sum.registers += d.registers;
    sum.memory += d.memory;
    sum.outcome += d.outcome;
    if (d.any()) differs(x[0], y[0], d);
    last.emplace_back(x[0], y[0]);
    if (last.size() > options.context) last.pop_front();
    x.drop(1);
    y.drop(1);
  };
  const auto part = [&](std::size_t i, std::size_t j, bool met) {
    std::vector<diff_step> before_a, before_b;
    for (const auto& [p, q] : last) before_a.push_back(p), before_b.push_back(q);
    const auto only_a = x.front(i), only_b = y.front(j);
    ++sum.divergences;
    sum.only_a += i;
    sum.only_b += j;
    sum.met = sum.met && met;
    diverges(divergence{before_a, before_b, only_a, only_b, met});
    x.drop(i);
    y.drop(j);
    last.clear();
  };

  while (sum.met && x.hold(1) != 0 && y.hold(1) != 0) {
    if (x[0].record.ip == y[0].record.ip) {
      compare();
      continue;
    }
    // Mostly they meet soon: more is held only if they do not.
    for (std::size_t n = std::min<std::size_t>(options.window, 4 * options.run + 256);;
         n = std::min(4 * n, options.window)) {
      const std::size_t held_a = x.hold(n), held_b = y.hold(n);
      const bool all = x.ends_within(n) && y.ends_within(n);
      if (const auto m = detail::meeting(x, held_a, y, held_b, options.run, all)) {
        part(m->first, m->second, true);
        break;
      }
      if (all || n == options.window) {
        part(held_a, held_b, all);
        break;
      }
    }
  }
  // One of them has more: of one that failed nobody knows.
  for (bool first = true;
       sum.met && !x.failure() && !y.failure() && (x.hold(1) != 0 || y.hold(1) != 0);
       first = false) {
    const std::size_t held_a = x.hold(options.window), held_b = y.hold(options.window);
    if (first) {
      part(held_a, held_b, true);
      continue;
    }
    sum.only_a += held_a;
    sum.only_b += held_b;
    x.drop(held_a);
    y.drop(held_b);
  }
  if (x.failure()) std::rethrow_exception(x.failure());
  if (y.failure()) std::rethrow_exception(y.failure());
  return sum;
}

}  // namespace tracecodec::feed
