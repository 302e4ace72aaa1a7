// Implements analysis/loops.hpp.
#pragma once
#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>

#include "../../feed/instruction.hpp"
#include "../../io/hash.hpp"
#include "../call_stack.hpp"
#include "../loops.hpp"

namespace tracecodec::analysis {

namespace detail {

// Histogram of the iterations of a loop, exact as long as there are few different numbers.
class iteration_counts {
 public:
  // Counts an entry. `in_all` is the number of counts of all loops, which is updated.
  void add(std::uint64_t iterations, std::size_t& in_all) {
    const auto at = place_of(rounded(iterations));
    if (at != counts_.end() && at->first == rounded(iterations)) {
      ++at->second;
      return;
    }
    if (in_all == loop_search::most_counts_in_all) {
      is_complete_ = false;
      return;
    }
    ++in_all;
    counts_.insert(at, {rounded(iterations), 1});
    const std::size_t before = counts_.size();
    while (counts_.size() > loop_search::most_counts) round();
    in_all -= before - counts_.size();
  }
  void store_median(loop& to) const {
    to.is_median_exact = bits_ == exact;
    std::uint64_t left = (to.entries - 1) / 2;
    for (const auto& [iterations, entries] : counts_) {
      if (is_complete_ && left < entries) {
        to.median = iterations;
        return;
      }
      left -= entries;
    }
  }

 private:
  static constexpr int exact = 64;

  [[nodiscard]] std::uint64_t rounded(std::uint64_t n) const noexcept {
    const int dropped = std::max(static_cast<int>(std::bit_width(n)) - bits_, 0);
    return n >> dropped << dropped;
  }
  // Rounds all numbers to fewer bits. There are 64 numbers of one bit.
  void round() {
    bits_ = bits_ == exact ? 4 : bits_ - 1;
    std::size_t kept = 0;
    for (const auto& [iterations, entries] : counts_) {
      if (kept != 0 && counts_[kept - 1].first == rounded(iterations))
        counts_[kept - 1].second += entries;
      else
        counts_[kept++] = {rounded(iterations), entries};
    }
    counts_.resize(kept);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>>::iterator place_of(std::uint64_t n) {
    return std::lower_bound(counts_.begin(), counts_.end(), n,
                            [](const auto& count, std::uint64_t k) { return count.first < k; });
  }

  // Numbers of iterations, ascending, and how many entries have them.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts_ = {};
  int bits_ = exact;  // highest bits of a number that are kept
  bool is_complete_ = true;
};

}  // namespace detail

struct loop_search::state {
  // Loop, with the histogram of its iterations.
  struct counted_loop : loop {
    detail::iteration_counts counts = {};
  };
  // Entry of a loop that has not ended.
  struct entry {
    std::size_t loop = 0;  // index
    std::uint64_t iterations = 0;
  };
  // Call of a function.
  struct call {
    std::uint64_t begin = 0;  // address of the first instruction, or 0 if it is unknown
    std::vector<entry> open = {};
  };

  explicit state(feed::column_set has) : stacks(has, {}) {}

  static void end_entry(const entry& e, std::vector<counted_loop>& to, std::size_t& counts) {
    counted_loop& l = to[e.loop];
    ++l.entries;
    l.iterations += e.iterations;
    l.fewest = l.entries == 1 ? e.iterations : std::min(l.fewest, e.iterations);
    l.most = std::max(l.most, e.iterations);
    l.counts.add(e.iterations, counts);
  }
  // Ends the innermost entries until `rest` are left.
  void end_entries(call& c, std::size_t rest) {
    for (; c.open.size() > rest; c.open.pop_back()) end_entry(c.open.back(), loops, counts);
  }
  // Returns the loops, in which entries that have not ended count with the iterations so far.
  [[nodiscard]] std::vector<loop> result() const {
    std::vector<counted_loop> all = loops;
    std::size_t all_counts = counts;
    for (const call& c : calls)
      for (const entry& e : c.open) end_entry(e, all, all_counts);
    for (counted_loop& l : all) l.counts.store_median(l);
    return {all.begin(), all.end()};
  }

  void add_back_edge(call& c, std::uint64_t ip, std::uint64_t head, std::uint64_t at) {
    std::size_t n = c.open.size();
    while (n != 0 && loops[c.open[n - 1].loop].head != head) --n;
    if (n != 0) {
      end_entries(c, n);
      entry& e = c.open.back();
      ++e.iterations;
      loops[e.loop].last = std::max(loops[e.loop].last, ip);
      return;
    }
    // The loops that begin after the head are inside of this one, and have ended.
    for (n = c.open.size(); n != 0 && loops[c.open[n - 1].loop].head > head; --n) {
    }
    end_entries(c, n);
    const auto known = numbers.find(head);
    if (c.open.size() == most_nested || (known == numbers.end() && loops.size() == most_loops)) {
      cut = true;
      return;
    }
    std::size_t number = loops.size();
    if (known == numbers.end()) {
      numbers.emplace(head, number);
      counted_loop& added = loops.emplace_back();
      added.head = head;
      added.first = at;
    } else {
      number = known->second;
    }
    loop& l = loops[number];
    l.last = std::max(l.last, ip);
    if (c.open.size() > l.depth) {
      l.depth = c.open.size();
      l.outer = loops[c.open.back().loop].head;
    }
    c.open.push_back({number, 2});
  }

  // Stores a call that begins, and returns its index in `calls`.
  std::size_t begin_call(std::uint64_t begin) {
    if (unused.empty()) {
      calls.emplace_back();
      unused.push_back(calls.size() - 1);
    }
    const std::size_t number = unused.back();
    unused.pop_back();
    calls[number].begin = begin;
    return number;
  }

  call_stacks stacks;
  std::vector<call> calls = {};          // those that have not ended, and unused ones
  std::vector<std::size_t> unused = {};  // their indices
  std::vector<counted_loop> loops = {};
  std::size_t counts = 0;  // number of counts of all loops
  std::unordered_map<std::uint64_t, std::size_t, io::keyed_hash> numbers = {};
  bool cut = false;
};

TRACECODEC_FUNC loop_search::loop_search(feed::column_set has)
    : state_(std::make_unique<state>(has)) {}
TRACECODEC_FUNC loop_search::loop_search(loop_search&&) noexcept = default;
TRACECODEC_FUNC loop_search& loop_search::operator=(loop_search&&) noexcept = default;
TRACECODEC_FUNC loop_search::~loop_search() = default;

TRACECODEC_FUNC feed::column_set loop_search::columns() const noexcept {
  return state_->stacks.columns();
}

TRACECODEC_FUNC void loop_search::add(const feed::columns& batch) {
  using feed::branch_class;
  state& s = *state_;
  const auto begins = [&s](open_call& c, const open_call*, std::size_t) {
    c.tag = s.begin_call(c.is_first ? 0 : c.function);
  };
  const auto ends = [&s](const open_call& c, call_end, std::uint64_t, std::uint64_t) {
    s.end_entries(s.calls[c.tag], 0);
    if (!c.is_first) s.unused.push_back(c.tag);  // the first function of a stack may go on
  };
  const auto jumps = [](const open_call&, std::size_t, std::uint64_t, std::uint64_t) {};
  for (std::size_t row = 0; row != batch.size(); ++row) {
    s.stacks.step(batch, row, begins, ends, jumps);
    state::call& now = s.calls[s.stacks.running().tag];
    const std::uint64_t ip = batch.ip()[row];
    const auto is_outside = [&](const state::entry& e) {
      return ip < s.loops[e.loop].head || ip > s.loops[e.loop].last;
    };
    while (!now.open.empty() && is_outside(now.open.back()))
      s.end_entries(now, now.open.size() - 1);
    if (batch.taken()[row] == 0) continue;
    const std::uint64_t target = batch.target()[row];
    const branch_class kind = batch.branch()[row];
    if ((kind == branch_class::conditional || kind == branch_class::direct_jump) && target != 0 &&
        target <= ip && target >= now.begin)
      s.add_back_edge(now, ip, target, batch.first() + row);
  }
}

TRACECODEC_FUNC std::vector<loop> loop_search::result() const {
  std::vector<loop> all = state_->result();
  std::sort(all.begin(), all.end(), [](const loop& a, const loop& b) {
    return std::tuple(b.iterations, a.head) < std::tuple(a.iterations, b.head);
  });
  return all;
}
TRACECODEC_FUNC bool loop_search::is_cut() const noexcept { return state_->cut; }

}  // namespace tracecodec::analysis
