// Implements analysis/loops.hpp.
#pragma once
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "../../feed/instruction.hpp"
#include "../../io/hash.hpp"
#include "../call_stack.hpp"
#include "../loops.hpp"

namespace tracecodec::analysis {

struct loop_search::state {
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

  explicit state(feed::column_set has) : stacks(has, false) {}

  void end_entry(const entry& e, std::vector<loop>& to) const {
    loop& l = to[e.loop];
    ++l.entries;
    l.iterations += e.iterations;
    l.fewest = l.entries == 1 ? e.iterations : std::min(l.fewest, e.iterations);
    l.most = std::max(l.most, e.iterations);
  }
  // Ends the innermost entries until `rest` are left.
  void end_entries(call& c, std::size_t rest) {
    for (; c.open.size() > rest; c.open.pop_back()) end_entry(c.open.back(), loops);
  }
  void end_all(const call& c, std::vector<loop>& to) const {
    for (const entry& e : c.open) end_entry(e, to);
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
      loops.push_back({.head = head, .first = at});
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
  std::vector<loop> loops = {};
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
  std::vector<loop> all = state_->loops;
  for (const state::call& c : state_->calls) state_->end_all(c, all);
  std::sort(all.begin(), all.end(), [](const loop& a, const loop& b) {
    return std::tuple(b.iterations, a.head) < std::tuple(a.iterations, b.head);
  });
  return all;
}
TRACECODEC_FUNC bool loop_search::is_cut() const noexcept { return state_->cut; }

}  // namespace tracecodec::analysis
