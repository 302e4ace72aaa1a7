// Implements analysis/diff.hpp.
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

#include "../../io/error.hpp"
#include "../diff.hpp"
#include "../diff/impl/expected.hpp"
#include "../diff/impl/search.hpp"
#include "../diff/impl/values.hpp"

namespace tracecodec::analysis::detail {

// Implementation of compare().
class differ {
 public:
  differ(diff_source a, diff_source b, diff_options o, diff_summary& sum, diff_listener& listener)
      : options_(o),
        values_(values_of(a, b, options_)),
        expected_(options_.expected, o.addresses_expected, options_.moved),
        a_(std::move(a), o.context, values_ ? most_values() : 0),
        b_(std::move(b), o.context, values_ ? most_values() : 0, &options_.moved),
        sum_(sum),
        listener_(listener) {
    sum_.values_compared = sum_.values_compared || values_ != nullptr;
  }

  void run() {
    bool lost = false;
    if (options_.from && !start()) return;
    sum_.started = true;
    while (!lost && a_.hold(1) != 0 && b_.hold(1) != 0) {
      if (a_.front().record.ip == b_.front().record.ip)
        compare();
      else
        lost = !search();
    }
    // If one trace has ended without an error, the other trace may have more instructions.
    if (!lost) rest();
    if (a_.failure()) std::rethrow_exception(a_.failure());
    if (b_.failure()) std::rethrow_exception(b_.failure());
  }

 private:
  // Skips to diff_options::from. Returns false if one of the traces never reaches that address.
  bool start() {
    const auto reach = [this](diff_side& s) {
      while (s.hold(1) != 0 && s.front().record.ip != *options_.from) pass(s, 1);
      if (s.hold(1) == 0 && s.failure()) std::rethrow_exception(s.failure());
      return s.hold(1) != 0;
    };
    return reach(a_) && reach(b_);
  }

  // First part of a divergence that is longer than a window. It is kept for the report at the end
  // of the divergence.
  struct passed_over {
    std::vector<diff_step> before_a, before_b, only_a, only_b;
    std::uint64_t count_a, count_b;
    [[nodiscard]] divergence report() const {
      return {before_a, before_b, only_a, only_b, count_a, count_b};
    }
  };

  static std::unique_ptr<value_comparison> values_of(const diff_source& a, const diff_source& b,
                                                     const diff_options& o) {
    if (!o.values || !a.has_values() || !b.has_values()) return nullptr;
    return std::make_unique<value_comparison>(a.has_all_registers(), b.has_all_registers(),
                                              o.moved.empty() ? nullptr : &o.moved);
  }
  // Returns the maximum number of buffered values: ten values (240 bytes) for each instruction of a
  // window, or of 8,192 instructions if the window is smaller.
  [[nodiscard]] std::size_t most_values() const {
    return 10 * std::clamp(options_.window, std::size_t{8192}, ~std::size_t{0} / 10);
  }

  void compare() {
    differences d = differences_of(a_.front(), b_.front());
    std::span<const value_difference> values;
    if (values_) {
      const auto all = values_->compare(a_.take_values(), b_.take_values());
      values = expected_.filter(a_.front(), b_.front(), all,
                                [this](const value_difference& v) { values_->forget(v); });
      sum_.values_expected += all.size() != values.size();
      d.values = !values.empty();
      sum_.values += d.values;
      sum_.values_left_out += a_.took_all_values() && b_.took_all_values() ? 0U : 1U;
    }
    ++sum_.aligned;
    sum_.registers += d.registers;
    sum_.memory += d.memory;
    sum_.outcome += d.outcome;
    sum_.code += d.code;
    sum_.events += d.events;
    if (d.any()) listener_.differs(a_.front(), b_.front(), d, values);
    a_.pass(1);
    b_.pass(1);
    if (passed_ != options_.context) ++passed_;
  }
  // Searches for the place at which the ips are equal again, or for the ends of the traces. Returns
  // false if the search fails. The place is usually near, so more instructions are buffered only if
  // the first search fails.
  bool search() {
    const std::size_t near = std::min(options_.window, 4 * options_.run + 256);
    std::optional<passed_over> gone;
    std::size_t tries = 0;
    for (std::size_t n = near;;) {
      const std::size_t i = a_.hold(n), j = b_.hold(n);
      const bool all = a_.ends_within(n) && b_.ends_within(n);
      const auto m =
          meeting(a_.next(i), b_.next(j), options_.run, all && !a_.failure() && !b_.failure());
      if (!m && !all && n != options_.window) {
        n = std::min(4 * n, options_.window);
        continue;
      }
      if (m || all || tries == options_.retries) {
        part(gone, m, m ? m->a : i, m ? m->b : j, !m && !all);
        return m || all;
      }
      pass_over(gone, i, j);
      n = near;
      if (a_.hold(1) != 0 && b_.hold(1) != 0) {
        ++tries;
        ++sum_.retries;
        continue;
      }
      // One of the traces ends here. If an error caused the end, run() throws the error.
      const bool ended = !(a_.hold(1) == 0 ? a_ : b_).failure();
      if (ended) pass_rest(*gone);
      report(*gone, false);
      return ended;
    }
  }
  // Reports a divergence, and moves past the next `i` instructions of the first trace and `j` of
  // the second. If `m` is set, the divergence ends at this meeting point.
  void part(const std::optional<passed_over>& gone, const std::optional<meeting_point>& m,
            std::size_t i, std::size_t j, bool lost) {
    divergence d{a_.passed(passed_), b_.passed(passed_), a_.next(i), b_.next(j), i, j};
    if (gone) {
      d = gone->report();
      d.count_a += i;
      d.count_b += j;
    }
    if (m) {
      d.meets_a = a_.at(i);
      d.meets_b = b_.at(j);
    }
    d.lost = lost;
    report(d);
    pass(a_, i);
    pass(b_, j);
  }
  // Reports the rest of the longer trace if the shorter trace has ended.
  void rest() {
    const bool a_ended = a_.hold(1) == 0 && !a_.failure(),
               b_ended = b_.hold(1) == 0 && !b_.failure();
    diff_side& more = a_ended ? b_ : a_;
    if ((!a_ended && !b_ended) || more.hold(1) == 0) return;
    std::optional<passed_over> gone;
    pass_over(gone, a_.hold(options_.window), b_.hold(options_.window));
    pass_rest(*gone);
    report(*gone, false);
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
      for (std::size_t k = 0; k < n; ++k) values_->pass(&s == &a_, s.take_values());
    s.pass(n);
  }
  void report(const passed_over& gone, bool lost) {
    divergence d = gone.report();
    d.lost = lost;
    report(d);
  }
  void report(const divergence& d) {
    expected_.interrupt();
    ++sum_.divergences;
    sum_.only_a += d.count_a;
    sum_.only_b += d.count_b;
    sum_.lost = sum_.lost || d.lost;
    listener_.diverges(d);
    passed_ = 0;
  }
  static std::vector<diff_step> copy(std::span<const diff_step> all) {
    return {all.begin(), all.end()};
  }

  diff_options options_;
  std::unique_ptr<value_comparison> values_;  // nullptr if values are not compared
  expected_values expected_;
  diff_side a_, b_;
  diff_summary& sum_;
  diff_listener& listener_;
  // Number of aligned instructions since the last divergence, up to `context`.
  std::size_t passed_ = 0;
};

TRACECODEC_FUNC void compare(diff_source a, diff_source b, const diff_options& options,
                             diff_summary& sum, diff_listener& listener) {
  if (options.run == 0 || options.window < options.run)
    throw trace_error(trace_errc::refused, {},
                      "the window must be at least the run, and the run at least 1");
  sum.code_compared = sum.code_compared || (a.has_code() && b.has_code());
  sum.events_compared = sum.events_compared || (a.has_events() && b.has_events());
  differ(std::move(a), std::move(b), options, sum, listener).run();
}

}  // namespace tracecodec::analysis::detail
