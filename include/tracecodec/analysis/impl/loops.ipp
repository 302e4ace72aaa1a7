// Implements analysis/loops.hpp.
#pragma once
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

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
  struct thread {
    call now = {};
    call_stack<call> callers = {};
    bool enters = false;  // true if the next instruction is the first one of a called function
  };

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

  std::vector<loop> loops = {};
  std::unordered_map<std::uint64_t, std::size_t, io::keyed_hash> numbers = {};
  std::map<std::uint32_t, thread> threads = {};
  bool cut = false;
};

TRACECODEC_FUNC loop_search::loop_search(feed::column_set has)
    : columns_(feed::column_set{feed::column::ip, feed::column::branch, feed::column::taken,
                                feed::column::target, feed::column::thread} |
               (has & feed::column_set{feed::column::size})),
      state_(std::make_unique<state>()) {}
TRACECODEC_FUNC loop_search::loop_search(loop_search&&) noexcept = default;
TRACECODEC_FUNC loop_search& loop_search::operator=(loop_search&&) noexcept = default;
TRACECODEC_FUNC loop_search::~loop_search() = default;

TRACECODEC_FUNC void loop_search::add(const feed::columns& batch) {
  using feed::branch_class;
  const bool has_sizes = columns_.has(feed::column::size);
  state& s = *state_;
  state::thread* t = nullptr;
  std::uint32_t id = 0;
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t ip = batch.ip()[row];
    if (t == nullptr || batch.thread()[row] != id) {
      id = batch.thread()[row];
      t = &s.threads[id];
    }
    if (std::exchange(t->enters, false)) t->now.begin = ip;
    const auto is_outside = [&](const state::entry& e) {
      return ip < s.loops[e.loop].head || ip > s.loops[e.loop].last;
    };
    while (!t->now.open.empty() && is_outside(t->now.open.back()))
      s.end_entries(t->now, t->now.open.size() - 1);
    if (batch.taken()[row] == 0) continue;
    const std::uint64_t target = batch.target()[row];
    switch (batch.branch()[row]) {
      case branch_class::direct_call:
      case branch_class::indirect_call:
        if (t->callers.size() == most_depth) {
          s.cut = true;
          s.end_entries(t->now, 0);
        } else {
          t->callers.push(ip, has_sizes ? batch.code_size()[row] : 0,
                          std::exchange(t->now, state::call{}));
        }
        t->enters = true;
        break;
      case branch_class::return_: {
        const auto end = [&](const state::call& c) { s.end_all(c, s.loops); };
        if (auto caller = t->callers.return_to(target, end)) {
          s.end_entries(t->now, 0);
          t->now = std::move(*caller);
        }
        break;
      }
      case branch_class::conditional:
      case branch_class::direct_jump:
        if (target != 0 && target <= ip && target >= t->now.begin)
          s.add_back_edge(t->now, ip, target, batch.first() + row);
        break;
      default:
        break;
    }
  }
}

TRACECODEC_FUNC std::vector<loop> loop_search::result() const {
  std::vector<loop> all = state_->loops;
  for (const auto& [id, t] : state_->threads) {
    state_->end_all(t.now, all);
    t.callers.each([&](const state::call& c) { state_->end_all(c, all); });
  }
  std::sort(all.begin(), all.end(), [](const loop& a, const loop& b) {
    return std::tuple(b.iterations, a.head) < std::tuple(a.iterations, b.head);
  });
  return all;
}
TRACECODEC_FUNC bool loop_search::is_cut() const noexcept { return state_->cut; }

}  // namespace tracecodec::analysis
