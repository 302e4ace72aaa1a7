// Two feeds side by side: aligned by ip, told where they part and where they meet again.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../io/error.hpp"
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
  // Of four at most. (g++ -O3 sees std::sort leave them, and warns.)
  const auto sort = [](auto& list) {
    for (std::size_t n = 1; n < list.size() && list[n] != 0; ++n)
      for (std::size_t k = n; k != 0 && list[k - 1] > list[k]; --k) std::swap(list[k - 1], list[k]);
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
// A target of 0 is not known, as that of a trace's last instruction: it differs from none.
constexpr differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  const auto &x = a.record, &y = b.record;
  const bool targets = a.target != b.target && a.target != 0 && b.target != 0;
  return {x.destination_registers != y.destination_registers ||
              x.source_registers != y.source_registers,
          x.destination_memory != y.destination_memory || x.source_memory != y.source_memory,
          a.branch != b.branch || x.branch_taken != y.branch_taken || targets};
}

struct diff_options {
  // So many equal ips in a row are taken for the same way again; at least 1.
  std::size_t run = 16;
  // So many instructions of each feed at most are searched for it, and held in memory: 88 bytes
  // for each. At least `run`.
  std::size_t window = 65536;
  // So many instructions before a divergence are told with it.
  std::size_t context = 3;
};

// Where the feeds go different ways. The spans are valid during the report.
struct divergence {
  std::span<const diff_step> before_a, before_b;  // of both the last ones at equal ips
  // Those until the feeds meet again: all, or the first if one feed has more than a window of them.
  std::span<const diff_step> only_a, only_b;
  std::uint64_t count_a = 0, count_b = 0;  // how many there are
  // Where they meet again; nullptr if one of them ends before, or if it is not within the window.
  const diff_step *meets_a = nullptr, *meets_b = nullptr;
  bool lost = false;  // it is not within the window: the rest is not compared
};

// Counts of instructions.
struct diff_summary {
  std::uint64_t aligned = 0;                             // at equal ips
  std::uint64_t registers = 0, memory = 0, outcome = 0;  // of those: that differ in this
  std::uint64_t divergences = 0;
  std::uint64_t only_a = 0, only_b = 0;  // between the divergences and where the feeds meet again
  bool lost = false;                     // the rest of both was not compared
  [[nodiscard]] constexpr bool same() const noexcept {
    return divergences == 0 && registers == 0 && memory == 0 && outcome == 0;
  }
};

// The instructions of any feed as steps, a batch at a time, for one virtual call: what compares two
// of them is compiled once, and not for each pair of formats.
class diff_source {
 public:
  template <stream Feed> explicit diff_source(Feed feed)
      : held_(std::make_unique<holder<Feed>>(std::move(feed))) {}
  // Adds a batch; false at the end. Throws as the feed.
  bool take(std::vector<diff_step>& to) { return held_->take(to); }

 private:
  struct base {
    base() = default;
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() = default;
    virtual bool take(std::vector<diff_step>& to) = 0;
  };
  template <class Feed> struct holder final : base {
    explicit holder(Feed f) : feed(std::move(f)) {}
    bool take(std::vector<diff_step>& to) override {
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

// The next instructions of a source, as many as are asked for, and the last ones before them.
class diff_side {
 public:
  diff_side(diff_source s, std::size_t context) : source_(std::move(s)), context_(context) {}

  // Holds `n` instructions if there are as many, else all; returns how many. What the source throws
  // is thrown by who uses it, when all before it is consumed.
  std::size_t hold(std::size_t n) {
    if (held_.size() - at_ < n && !ended_) fill(n);
    return std::min(held_.size() - at_, n);
  }
  // Whether the source ends, without an error, behind `n` more at most.
  bool ends_within(std::size_t n) { return hold(n + 1) <= n && !failure_; }
  [[nodiscard]] std::exception_ptr failure() const noexcept { return failure_; }

  // Those that are held.
  [[nodiscard]] const diff_step& front() const { return held_[at_]; }
  [[nodiscard]] std::span<const diff_step> next(std::size_t n) const {
    return std::span(held_).subspan(at_, n);
  }
  [[nodiscard]] const diff_step* at(std::size_t i) const {
    return at_ + i < held_.size() ? &held_[at_ + i] : nullptr;
  }
  // The last `n` that were passed, of `context` at most.
  [[nodiscard]] std::span<const diff_step> passed(std::size_t n) const {
    return std::span(held_).subspan(at_ - n, n);
  }
  void pass(std::size_t n) { at_ += n; }

 private:
  void fill(std::size_t n) {
    const std::size_t gone = at_ - std::min(at_, context_);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
    at_ -= gone;
    while (held_.size() - at_ < n && !ended_) {
      try {
        ended_ = !source_.take(held_);
      } catch (...) {
        failure_ = std::current_exception();
        ended_ = true;
      }
    }
  }

  diff_source source_;
  std::size_t context_;
  std::vector<diff_step> held_ = {};
  std::size_t at_ = 0;
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

// Where two sequences meet again.
struct meeting_point {
  std::size_t a, b;
  friend bool operator==(const meeting_point&, const meeting_point&) = default;
};
// That with the smallest sum of both places (of those the first in a), from which on `run` ips are
// equal; if there is none and both end here, that from which on all are equal to the end. nullopt:
// nowhere. O(n log n) comparisons of numbers, whatever the ips are, and O(n run).
inline std::optional<meeting_point> meeting(std::span<const diff_step> a,
                                            std::span<const diff_step> b, std::size_t run,
                                            bool to_the_end) {
  const auto hash = [run](const diff_step* s) {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < run; ++i) {
      h = (h ^ s[i].record.ip) * 0x9E3779B97F4A7C15U;
      h ^= h >> 32U;
    }
    return h;
  };
  std::vector<std::pair<std::uint64_t, std::size_t>> places;  // of b, by hash and place
  for (std::size_t j = 0; j + run <= b.size(); ++j) places.emplace_back(hash(&b[j]), j);
  std::sort(places.begin(), places.end());
  std::optional<meeting_point> best;
  const auto sum = [&best] { return best ? best->a + best->b : ~std::size_t{0}; };
  for (std::size_t i = 0; i + run <= a.size() && i < sum(); ++i) {
    const std::pair wanted{hash(&a[i]), std::size_t{0}};
    const auto found = std::lower_bound(places.begin(), places.end(), wanted);
    if (found == places.end() || found->first != wanted.first || i + found->second >= sum())
      continue;
    const std::size_t j = found->second;
    std::size_t k = 0;
    while (k < run && a[i + k].record.ip == b[j + k].record.ip) ++k;
    if (k == run) best = {i, j};
  }
  if (to_the_end && !best) {
    std::size_t k = 0;
    while (k < a.size() && k < b.size() &&
           a[a.size() - 1 - k].record.ip == b[b.size() - 1 - k].record.ip)
      ++k;
    if (k != 0) best = {a.size() - k, b.size() - k};
  }
  return best;
}

// The work of diff().
template <class Differs, class Diverges> class differ {
 public:
  differ(diff_source a, diff_source b, diff_options o, diff_summary& sum, Differs& differs,
         Diverges& diverges)
      : options_(o),
        a_(std::move(a), o.context),
        b_(std::move(b), o.context),
        sum_(sum),
        differs_(differs),
        diverges_(diverges) {}

  void run() {
    bool lost = false;
    while (!lost && a_.hold(1) != 0 && b_.hold(1) != 0) {
      if (a_.front().record.ip == b_.front().record.ip)
        compare();
      else
        lost = !search();
    }
    // One of them has more, if the other one really ends here.
    if (!lost && a_.hold(1) == 0 && !a_.failure()) rest(b_, false);
    if (!lost && b_.hold(1) == 0 && !b_.failure()) rest(a_, true);
    if (a_.failure()) std::rethrow_exception(a_.failure());
    if (b_.failure()) std::rethrow_exception(b_.failure());
  }

 private:
  void compare() {
    const differences d = differences_of(a_.front(), b_.front());
    ++sum_.aligned;
    sum_.registers += d.registers;
    sum_.memory += d.memory;
    sum_.outcome += d.outcome;
    if (d.any()) differs_(a_.front(), b_.front(), d);
    a_.pass(1);
    b_.pass(1);
    if (passed_ != options_.context) ++passed_;
  }

  // From where the ips differ to where they are equal again, or to the ends; false if that is not
  // found. Mostly it is near: more is held only if it is not.
  bool search() {
    for (std::size_t n = std::min(options_.window, 4 * options_.run + 256);;
         n = std::min(4 * n, options_.window)) {
      const std::size_t i = a_.hold(n), j = b_.hold(n);
      const bool all = a_.ends_within(n) && b_.ends_within(n);
      if (const auto m = meeting(a_.next(i), b_.next(j), options_.run, all)) {
        part(m->a, m->b, a_.at(m->a), b_.at(m->b), false);
        return true;
      }
      if (!all && n != options_.window) continue;
      part(i, j, nullptr, nullptr, !all);
      return all;
    }
  }
  void part(std::size_t i, std::size_t j, const diff_step* meets_a, const diff_step* meets_b,
            bool lost) {
    tell({a_.passed(passed_), b_.passed(passed_), a_.next(i), b_.next(j), i, j, meets_a, meets_b,
          lost});
    a_.pass(i);
    b_.pass(j);
  }
  // What one has when the other one has ended.
  void rest(diff_side& more, bool first) {
    if (more.hold(1) == 0) return;
    const std::vector<diff_step> before_a = copy(a_.passed(passed_)),
                                 before_b = copy(b_.passed(passed_)),
                                 some = copy(more.next(more.hold(options_.window)));
    std::uint64_t n = 0;
    while (const std::size_t held = more.hold(options_.window)) {
      n += held;
      more.pass(held);
    }
    divergence d;
    d.before_a = before_a;
    d.before_b = before_b;
    (first ? d.only_a : d.only_b) = some;
    (first ? d.count_a : d.count_b) = n;
    tell(d);
  }
  void tell(const divergence& d) {
    ++sum_.divergences;
    sum_.only_a += d.count_a;
    sum_.only_b += d.count_b;
    sum_.lost = sum_.lost || d.lost;
    diverges_(d);
    passed_ = 0;
  }
  static std::vector<diff_step> copy(std::span<const diff_step> all) {
    return {all.begin(), all.end()};
  }

  diff_options options_;
  diff_side a_, b_;
  diff_summary& sum_;
  Differs& differs_;
  Diverges& diverges_;
  std::size_t passed_ = 0;  // since the last divergence, `context` at most
};

}  // namespace detail

// Compares two feeds to their ends and adds what it counts to `sum`. Of traces with several threads
// take one thread at a time: how threads take turns is no difference between programs.
//
// Calls differs(a, b, differences) for two instructions at the same ip that differ, and
// diverges(divergence) where the ips do. Compared are lists of registers and addresses, of which a
// record has two and four; values are not. Throws what a feed throws, when all that is whole is
// compared; refused: options that make no sense.
template <class Differs, class Diverges> void diff(diff_source a, diff_source b,
                                                   const diff_options& options, diff_summary& sum,
                                                   Differs differs, Diverges diverges) {
  if (options.run == 0 || options.window < options.run)
    throw trace_error(trace_errc::refused, {}, "a window is at least a run, which is at least 1");
  detail::differ<Differs, Diverges>(std::move(a), std::move(b), options, sum, differs, diverges)
      .run();
}

}  // namespace tracecodec::feed
