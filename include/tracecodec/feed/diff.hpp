// Two feeds side by side: aligned by ip, told where they part and where they meet again.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "diff_values.hpp"
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
  bool values = false;     // a register or memory becomes different in its value
  [[nodiscard]] constexpr bool any() const noexcept {
    return registers || memory || outcome || values;
  }
};
// But values, which steps do not hold. A target of 0 is not known, as that of a trace's last
// instruction: it differs from none.
constexpr differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  const auto &x = a.record, &y = b.record;
  const bool targets = a.target != b.target && a.target != 0 && b.target != 0;
  return {x.destination_registers != y.destination_registers ||
              x.source_registers != y.source_registers,
          x.destination_memory != y.destination_memory || x.source_memory != y.source_memory,
          a.branch != b.branch || x.branch_taken != y.branch_taken || targets, false};
}

struct diff_options {
  // So many equal ips in a row are taken for the same way again; at least 1.
  std::size_t run = 16;
  // So many instructions of each feed at most are searched for it, and held in memory: 88 bytes
  // for each, up to three times that while more are taken in and searched. If values are compared,
  // also what is told of them: up to 240 bytes for each instruction on average, of 8,192 at least;
  // of those that come when so much is held values are not compared. At least `run`.
  std::size_t window = 65536;
  // So many windows in a row without a meeting point are given up, and searched behind them.
  std::size_t retries = 0;
  // So many instructions before a divergence are told with it.
  std::size_t context = 3;
  // Compare values, if both feeds tell any: x64dbg's and UMTracer's, if the program includes their
  // values.hpp; of x64dbg's registers, if the feed keeps them.
  bool values = true;
};

// Where the feeds go different ways. The spans are valid during the report.
struct divergence {
  std::span<const diff_step> before_a, before_b;  // of both the last ones at equal ips
  // Those until the feeds meet again: all, or the first if one feed has more than a window of them
  // or it took a second try.
  std::span<const diff_step> only_a, only_b;
  std::uint64_t count_a = 0, count_b = 0;  // how many there are
  // Where they meet again; nullptr if one of them ends before, or if no try finds it.
  const diff_step *meets_a = nullptr, *meets_b = nullptr;
  bool lost = false;  // no try finds it: the rest is not compared
};

// Counts of instructions.
struct diff_summary {
  std::uint64_t aligned = 0;                                         // at equal ips
  std::uint64_t registers = 0, memory = 0, outcome = 0, values = 0;  // of those: that differ so
  std::uint64_t divergences = 0;
  std::uint64_t only_a = 0, only_b = 0;  // between the divergences and where the feeds meet again
  std::uint64_t retries = 0;             // windows that were given up
  bool lost = false;                     // the rest of both was not compared
  bool values_compared = false;          // both feeds tell values
  [[nodiscard]] constexpr bool same() const noexcept {
    return divergences == 0 && registers == 0 && memory == 0 && outcome == 0 && values == 0;
  }
};

// The instructions of any feed as steps, a batch at a time, for one virtual call: what compares two
// of them is compiled once, and not for each pair of formats.
class diff_source {
 public:
  template <stream Feed> explicit diff_source(Feed feed)
      : held_(std::make_unique<holder<Feed>>(std::move(feed))) {}
  // Adds a batch; false at the end. `values`, if there is one, gets what each of its instructions
  // tells. Throws as the feed, and as what tells its values.
  bool take(std::vector<diff_step>& to, detail::told_values* values) {
    return held_->take(to, values);
  }
  // Whether it tells values at all, and those of all registers before each instruction.
  [[nodiscard]] bool tells_values() const noexcept { return held_->tells; }
  [[nodiscard]] bool tells_all_registers() const noexcept { return held_->all_registers; }

 private:
  struct base {
    base(bool values, bool all) : tells(values), all_registers(all) {}
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() = default;
    virtual bool take(std::vector<diff_step>& to, detail::told_values* values) = 0;
    const bool tells, all_registers;
  };
  template <class Feed> struct holder final : base {
    using value_type =
        typename std::remove_cvref_t<decltype(std::declval<Feed&>().next())>::value_type;
    using teller_type = detail::value_teller<value_type>;
    explicit holder(Feed f)
        : base(teller_type::tells, with_all_registers<value_type>), feed(std::move(f)) {}
    bool take(std::vector<diff_step>& to, detail::told_values* values) override {
      const auto b = feed.next();
      if (values != nullptr) {
        for (std::size_t i = 0; i < b.size(); ++i) {
          teller.tell(b[i], *values);
          to.push_back(diff_step_of(b[i], taken++));
        }
        teller.end_batch();
      } else {
        for (std::size_t i = 0; i < b.size(); ++i) to.push_back(diff_step_of(b[i], taken++));
      }
      return b.size() != 0;
    }
    Feed feed;
    std::uint64_t taken = 0;
    teller_type teller = {};
  };
  std::unique_ptr<base> held_;
};

namespace detail {

// The next instructions of a source, as many as are asked for, and the last ones before them.
class diff_side {
 public:
  // `most_values`: of those that it holds at most; 0 for a comparison without values.
  diff_side(diff_source s, std::size_t context, std::size_t most_values)
      : source_(std::move(s)), context_(context) {
    if (most_values != 0) told_.emplace(most_values);
  }

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
  // With each instruction that is passed, what it told must be taken.
  void pass(std::size_t n) { at_ += n; }
  // Only of a comparison of values.
  auto take_told() { return told_->take(); }

 private:
  void fill(std::size_t n) {
    const std::size_t gone = at_ - std::min(at_, context_);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
    at_ -= gone;
    if (told_) told_->drop_taken();
    while (held_.size() - at_ < n && !ended_) {
      try {
        ended_ = !source_.take(held_, told_ ? &*told_ : nullptr);
      } catch (...) {
        failure_ = std::current_exception();
        ended_ = true;
      }
    }
  }

  diff_source source_;
  std::size_t context_;
  std::vector<diff_step> held_ = {};
  std::optional<told_values> told_ = {};
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
        values_(values_of(a, b, o)),
        a_(std::move(a), o.context, values_ ? most_values() : 0),
        b_(std::move(b), o.context, values_ ? most_values() : 0),
        sum_(sum),
        differs_(differs),
        diverges_(diverges) {
    sum_.values_compared = sum_.values_compared || values_ != nullptr;
  }

  void run() {
    bool lost = false;
    while (!lost && a_.hold(1) != 0 && b_.hold(1) != 0) {
      if (a_.front().record.ip == b_.front().record.ip)
        compare();
      else
        lost = !search();
    }
    // One of them has more, if the other one really ends here.
    if (!lost) rest();
    if (a_.failure()) std::rethrow_exception(a_.failure());
    if (b_.failure()) std::rethrow_exception(b_.failure());
  }

 private:
  // Of a divergence that is longer than a window: its first part, kept to be told at its end.
  struct passed_over {
    std::vector<diff_step> before_a, before_b, only_a, only_b;
    std::uint64_t count_a, count_b;
    [[nodiscard]] divergence told() const {
      return {before_a, before_b, only_a, only_b, count_a, count_b};
    }
  };

  static std::unique_ptr<value_comparison> values_of(const diff_source& a, const diff_source& b,
                                                     const diff_options& o) {
    if (!o.values || !a.tells_values() || !b.tells_values()) return nullptr;
    return std::make_unique<value_comparison>(a.tells_all_registers(), b.tells_all_registers());
  }
  // 240 bytes for each instruction of a window; of a batch, which may be larger.
  [[nodiscard]] std::size_t most_values() const {
    return 10 * std::clamp(options_.window, std::size_t{8192}, ~std::size_t{0} / 10);
  }

  void compare() {
    differences d = differences_of(a_.front(), b_.front());
    std::span<const value_difference> values;
    if (values_) {
      values = values_->compare(a_.take_told(), b_.take_told());
      d.values = !values.empty();
      sum_.values += d.values;
    }
    ++sum_.aligned;
    sum_.registers += d.registers;
    sum_.memory += d.memory;
    sum_.outcome += d.outcome;
    if (d.any()) tell(d, values);
    a_.pass(1);
    b_.pass(1);
    if (passed_ != options_.context) ++passed_;
  }
  void tell(const differences& d, [[maybe_unused]] std::span<const value_difference> values) {
    if constexpr (std::is_invocable_v<Differs&, const diff_step&, const diff_step&, differences,
                                      std::span<const value_difference>>)
      differs_(a_.front(), b_.front(), d, values);
    else
      differs_(a_.front(), b_.front(), d);
  }

  // From where the ips differ to where they are equal again, or to the ends; false if that is not
  // found. Mostly it is near: more is held only if it is not.
  bool search() {
    const std::size_t near = std::min(options_.window, 4 * options_.run + 256);
    std::optional<passed_over> gone;
    std::size_t tries = 0;
    for (std::size_t n = near;;) {
      const std::size_t i = a_.hold(n), j = b_.hold(n);
      const bool all = a_.ends_within(n) && b_.ends_within(n);
      const auto m = meeting(a_.next(i), b_.next(j), options_.run, all);
      if (!m && !all && n != options_.window) {
        n = std::min(4 * n, options_.window);
        continue;
      }
      if (m || all || tries == options_.retries) {
        part(gone, m, m ? m->a : i, m ? m->b : j, !m && !all);
        return m || all;
      }
      ++tries;
      ++sum_.retries;
      pass_over(gone, i, j);
      n = near;
      if (a_.hold(1) != 0 && b_.hold(1) != 0) continue;
      // An end is reached here, if it is no error.
      const bool ended = !(a_.hold(1) == 0 ? a_ : b_).failure();
      if (ended) pass_rest(*gone);
      tell(*gone, !ended);
      return ended;
    }
  }
  // Goes on behind the next i and j, where the feeds meet if there is an `m`.
  void part(const std::optional<passed_over>& gone, const std::optional<meeting_point>& m,
            std::size_t i, std::size_t j, bool lost) {
    divergence d{a_.passed(passed_), b_.passed(passed_), a_.next(i), b_.next(j), i, j};
    if (gone) {
      d = gone->told();
      d.count_a += i;
      d.count_b += j;
    }
    if (m) {
      d.meets_a = a_.at(i);
      d.meets_b = b_.at(j);
    }
    d.lost = lost;
    tell(d);
    pass(a_, i);
    pass(b_, j);
  }
  // What one has when the other one has ended.
  void rest() {
    const bool a_ended = a_.hold(1) == 0 && !a_.failure(),
               b_ended = b_.hold(1) == 0 && !b_.failure();
    diff_side& more = a_ended ? b_ : a_;
    if ((!a_ended && !b_ended) || more.hold(1) == 0) return;
    std::optional<passed_over> gone;
    pass_over(gone, a_.hold(options_.window), b_.hold(options_.window));
    pass_rest(*gone);
    tell(*gone, false);
  }

  void pass_over(std::optional<passed_over>& gone, std::size_t i, std::size_t j) {
    if (gone) {
      gone->count_a += i;
      gone->count_b += j;
    } else {
      gone = {copy(a_.passed(passed_)),
              copy(b_.passed(passed_)),
              copy(a_.next(i)),
              copy(b_.next(j)),
              i,
              j};
    }
    pass(a_, i);
    pass(b_, j);
  }
  void pass_rest(passed_over& gone) {
    const auto pass_all = [this](diff_side& s, std::uint64_t& count) {
      while (const std::size_t n = s.hold(options_.window)) {
        count += n;
        pass(s, n);
      }
    };
    pass_all(a_, gone.count_a);
    pass_all(b_, gone.count_b);
  }
  void pass(diff_side& s, std::size_t n) {
    if (values_)
      for (std::size_t k = 0; k < n; ++k) values_->pass(&s == &a_, s.take_told());
    s.pass(n);
  }
  void tell(const passed_over& gone, bool lost) {
    divergence d = gone.told();
    d.lost = lost;
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
  std::unique_ptr<value_comparison> values_;  // nullptr: they are not compared
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
// Calls differs(a, b, differences), or differs(a, b, differences, values) with a span of
// value_difference, for two instructions at the same ip that differ, and diverges(divergence) where
// the ips do. Compared are lists of registers and addresses, of which a record has two and four;
// and values where both feeds tell them (diff_values.hpp): what a register or memory holds counts
// where it becomes different, not as long as it is. Throws what a feed throws, when all that is
// whole is compared; refused: options that make no sense.
template <class Differs, class Diverges> void diff(diff_source a, diff_source b,
                                                   const diff_options& options, diff_summary& sum,
                                                   Differs differs, Diverges diverges) {
  if (options.run == 0 || options.window < options.run)
    throw trace_error(trace_errc::refused, {}, "a window is at least a run, which is at least 1");
  detail::differ<Differs, Diverges>(std::move(a), std::move(b), options, sum, differs, diverges)
      .run();
}

}  // namespace tracecodec::feed
