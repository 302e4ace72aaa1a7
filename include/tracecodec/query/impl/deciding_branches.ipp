#pragma once
#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../../analysis/call_stack.hpp"
#include "../../analysis/calling_convention.hpp"
#include "../../io/error.hpp"
#include "../../io/hash.hpp"
#include "../../wire/items/varint.hpp"
#include "../../x86/make_disassembler.hpp"
#include "../deciding_branches.hpp"

namespace tracecodec::query {

namespace detail {

// Graph of the instructions of all functions, and of the ways between them.
class executed_graph {
 public:
  using id = std::uint32_t;
  static constexpr id none = std::numeric_limits<id>::max();
  static constexpr id end_of_function = 0;

  struct node {
    std::uint64_t function = 0, ip = 0;
    std::vector<id> ways = {};  // instructions that are executed next, or end_of_function
    // True for a branch that has a choice if there are several ways.
    bool may_choose = false;
    bool is_conditional = false, was_taken = false, was_not_taken = false;
    std::uint32_t size = 0;    // in bytes, or 0 if it is unknown
    std::uint64_t target = 0;  // of a conditional branch, or 0 if it is unknown
    // First instruction after it that is on all ways to the end of the function.
    id join = end_of_function;

    [[nodiscard]] bool has_choice() const noexcept { return may_choose && ways.size() > 1; }
  };

  explicit executed_graph(const feed::column_source& trace) : trace_(&trace), nodes_(1) {}

  [[nodiscard]] node& operator[](id n) noexcept { return nodes_[n]; }

  // Returns the instruction at `ip` of a function, which follows `last` or is the first one of a call.
  // Returns none if the graph does not have it.
  [[nodiscard]] id find(id last, std::uint64_t function, std::uint64_t ip) const {
    if (last != none) {
      const std::vector<id>& ways = nodes_[last].ways;
      for (std::size_t n = 0; n != std::min(ways.size(), few); ++n)
        if (nodes_[ways[n]].ip == ip && ways[n] != end_of_function) return ways[n];
    }
    const auto found = ids_.find({function, ip});
    return found == ids_.end() ? none : found->second;
  }
  // Returns the same, and adds what the graph does not have.
  id follow(id last, std::uint64_t function, std::uint64_t ip) {
    id n = find(last, function, ip);
    if (n == none) {
      if (nodes_.size() > deciding_branches::most_instructions) refuse();
      n = static_cast<id>(nodes_.size());
      nodes_.emplace_back();
      nodes_[n].function = function;
      nodes_[n].ip = ip;
      ids_.emplace(std::pair(function, ip), n);
    }
    if (last != none) add_way(last, n);
    return n;
  }
  void add_way(id from, id to) {
    std::vector<id>& ways = nodes_[from].ways;
    const auto end = ways.begin() + static_cast<std::ptrdiff_t>(std::min(ways.size(), few));
    if (std::find(ways.begin(), end, to) != end) return;
    if (ways.size() >= few && !many_.emplace(from, to).second) return;
    if (ways_++ == deciding_branches::most_ways) refuse();
    ways.push_back(to);
  }

  // Adds the ways of conditional branches that the trace never takes, and finds where ways join.
  void finish() {
    for (id n = 1; n != nodes_.size(); ++n) {
      node& one = nodes_[n];
      if (!one.is_conditional || (one.was_taken && one.was_not_taken)) continue;
      const std::uint64_t other_ip = !one.was_taken  ? one.target
                                     : one.size != 0 ? one.ip + one.size
                                                     : 0;
      const id other = other_ip == 0 ? none : find(none, one.function, other_ip);
      add_way(n, other == none ? end_of_function : other);
    }
    find_joins();
  }

 private:
  // Number of ways that are searched one after another.
  static constexpr std::size_t few = 8;

  struct key_hash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& key) const noexcept {
      return io::keyed_hash()(key.first, key.second);
    }
  };

  [[noreturn]] void refuse() const {
    throw trace_error(trace_errc::refused, {.file = std::string(trace_->name())},
                      "the trace has more than " +
                          std::to_string(deciding_branches::most_instructions) +
                          " different instructions, or too many ways between them, to find the "
                          "branches that decided");
  }

  // Finds the immediate post-dominators: the dominators of the graph with all ways reversed, from the
  // end of the functions on (Lengauer and Tarjan's algorithm, the simple version).
  void find_joins();

  const feed::column_source* trace_;
  std::vector<node> nodes_;  // the first one is the end of all functions
  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, id, key_hash> ids_ = {};
  std::unordered_set<std::pair<std::uint64_t, std::uint64_t>, key_hash> many_ = {};  // other ways
  std::size_t ways_ = 0;
};

// Forest of Lengauer and Tarjan's algorithm. Nodes are numbers in the order of the depth-first search.
class dominator_forest {
 public:
  explicit dominator_forest(std::size_t size) : semi(size), ancestor_(size, none), best_(size) {
    for (std::size_t n = 0; n != size; ++n) semi[n] = best_[n] = static_cast<std::uint32_t>(n);
  }
  void link(std::uint32_t parent, std::uint32_t n) { ancestor_[n] = parent; }
  // Returns the node with the least semi-dominator on the path from the root of the tree to `n`.
  std::uint32_t best(std::uint32_t n) {
    if (ancestor_[n] == none) return n;
    path_.clear();
    for (std::uint32_t k = n; ancestor_[ancestor_[k]] != none; k = ancestor_[k]) path_.push_back(k);
    for (; !path_.empty(); path_.pop_back()) {
      const std::uint32_t k = path_.back(), above = ancestor_[k];
      if (semi[best_[above]] < semi[best_[k]]) best_[k] = best_[above];
      ancestor_[k] = ancestor_[above];
    }
    return best_[n];
  }

  std::vector<std::uint32_t> semi;

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> ancestor_, best_, path_ = {};
};

inline void executed_graph::find_joins() {
  const std::size_t size = nodes_.size();
  // The ways that lead to each node.
  std::vector<std::uint32_t> begin(size + 1), from(ways_);
  for (const node& n : nodes_)
    for (const id to : n.ways) ++begin[to + 1];
  for (std::size_t n = 0; n != size; ++n) begin[n + 1] += begin[n];
  std::vector<std::uint32_t> fill(begin.begin(), begin.end() - 1);
  for (id n = 1; n != size; ++n)
    for (const id to : nodes_[n].ways) from[fill[to]++] = n;
  // Depth-first search. Every node has a way to the end.
  constexpr std::uint32_t unseen = none;
  std::vector<std::uint32_t> number(size, unseen), node_at, parent;
  std::vector<std::pair<id, std::uint32_t>> open{{end_of_function, begin[0]}};
  number[end_of_function] = 0;
  node_at.push_back(end_of_function);
  parent.push_back(0);
  while (!open.empty()) {
    auto& [n, at] = open.back();
    if (at == begin[n + 1]) {
      open.pop_back();
      continue;
    }
    const id next = from[at++];
    if (number[next] != unseen) continue;
    number[next] = static_cast<std::uint32_t>(node_at.size());
    parent.push_back(number[n]);
    node_at.push_back(next);
    open.emplace_back(next, begin[next]);
  }
  const auto count = static_cast<std::uint32_t>(node_at.size());
  dominator_forest forest(count);
  std::vector<std::uint32_t> dominator(count), bucket(count, unseen), next_in_bucket(count, unseen);
  for (std::uint32_t w = count - 1; w != 0; --w) {
    for (const id way : nodes_[node_at[w]].ways)
      forest.semi[w] = std::min(forest.semi[w], forest.semi[forest.best(number[way])]);
    next_in_bucket[w] = bucket[forest.semi[w]];
    bucket[forest.semi[w]] = w;
    forest.link(parent[w], w);
    for (std::uint32_t v = bucket[parent[w]]; v != unseen; v = next_in_bucket[v]) {
      const std::uint32_t u = forest.best(v);
      dominator[v] = forest.semi[u] < forest.semi[v] ? u : parent[w];
    }
    bucket[parent[w]] = unseen;
  }
  for (std::uint32_t w = 1; w < count; ++w) {
    if (dominator[w] != forest.semi[w]) dominator[w] = dominator[dominator[w]];
    nodes_[node_at[w]].join = node_at[dominator[w]];
  }
}

// Follows the calls of a trace with a `Frame` for each open call.
template <class Frame> class followed_calls {
 public:
  followed_calls(feed::column_source& trace, analysis::stack_pointer_column sp)
      : stacks_(trace.has(), sp) {}

  [[nodiscard]] feed::column_set columns() const noexcept { return stacks_.columns(); }
  // Returns the frame of the call that executes a row. Calls begins(frame, frame of the caller or
  // null) and ends(frame).
  template <class Begins, class Ends>
  Frame& step(const feed::columns& batch, std::size_t row, Begins begins, Ends ends) {
    stacks_.step(
        batch, row,
        [&](analysis::open_call& c, const analysis::open_call* parent, std::size_t) {
          c.tag = begin_frame();
          Frame& f = frames_[c.tag];
          f = {};
          f.function = c.function;
          begins(f, parent == nullptr ? nullptr : &frames_[parent->tag]);
        },
        [&](const analysis::open_call& c, analysis::call_end, std::uint64_t, std::uint64_t) {
          ends(frames_[c.tag]);
          if (!c.is_first) unused_.push_back(c.tag);  // the first function of a stack may go on
        },
        [](const analysis::open_call&, std::size_t, std::uint64_t, std::uint64_t) {});
    return frames_[stacks_.running().tag];
  }
  [[nodiscard]] std::vector<Frame>& frames() noexcept { return frames_; }

 private:
  std::size_t begin_frame() {
    if (unused_.empty()) {
      frames_.emplace_back();
      return frames_.size() - 1;
    }
    const std::size_t number = unused_.back();
    unused_.pop_back();
    return number;
  }

  analysis::call_stacks stacks_;
  std::vector<Frame> frames_ = {};
  std::vector<std::size_t> unused_ = {};
};

struct graph_frame {
  std::uint64_t function = 0;
  executed_graph::id last = executed_graph::none;
};

// Reads a whole trace.
inline executed_graph graph_of(feed::column_source& trace, analysis::stack_pointer_column sp) {
  using feed::branch_class;
  executed_graph graph(trace);
  followed_calls<graph_frame> calls(trace, sp);
  feed::column_set wanted = calls.columns();
  if (trace.has().has(feed::column::size)) wanted |= {feed::column::size};
  // The code has the targets of branches that are never taken.
  std::optional<x86::any_disassembler> disassembler;
  if (const auto mode = trace.code_mode(); mode && trace.has().has(feed::column::code))
    disassembler = x86::make_disassembler(*mode);
  if (disassembler) wanted |= {feed::column::code};
  const auto target_of = [&disassembler](std::span<const std::byte> code, std::uint64_t ip) {
    const x86::instruction i = disassembler->decode(code);
    if (i.kind != x86::kind::conditional || i.absolute) return std::uint64_t{0};
    const std::uint64_t target = ip + i.length + static_cast<std::uint64_t>(i.branch_offset);
    return i.target_bytes == 8 ? target : target & ((std::uint64_t{1} << 8 * i.target_bytes) - 1);
  };
  const auto end = [&graph](graph_frame& f) {
    if (f.last != executed_graph::none) graph.add_way(f.last, executed_graph::end_of_function);
    f.last = executed_graph::none;
  };
  trace.move_to(0);
  trace.want(wanted);
  for (feed::columns batch; trace.next(batch, 1024);)
    for (std::size_t row = 0; row != batch.size(); ++row) {
      graph_frame& f = calls.step(
          batch, row, [](graph_frame&, const graph_frame*) {}, end);
      f.last = graph.follow(f.last, f.function, batch.ip()[row]);
      const branch_class kind = batch.branch()[row];
      if (kind != branch_class::conditional && kind != branch_class::indirect) continue;
      executed_graph::node& n = graph[f.last];
      n.may_choose = true;
      if (kind == branch_class::indirect) continue;
      if (!n.is_conditional && disassembler)
        n.target = target_of(batch.code()[row], batch.ip()[row]);
      n.is_conditional = true;
      (batch.taken()[row] != 0 ? n.was_taken : n.was_not_taken) = true;
      if (!batch.code_size().empty()) n.size = batch.code_size()[row];
    }
  for (graph_frame& f : calls.frames()) end(f);
  graph.finish();
  return graph;
}

// Branches whose ways have not joined, in the order of the call.
struct decided_frame {
  struct open_branch {
    executed_graph::id join = executed_graph::none;
    std::uint64_t at = 0;  // number of the last execution
  };
  std::uint64_t function = 0;
  executed_graph::id last = executed_graph::none;
  std::vector<open_branch> open = {};
  std::optional<std::uint64_t> caller = {};  // branch that decided the call

  [[nodiscard]] std::optional<std::uint64_t> decided_by() const {
    return open.empty() ? caller : std::optional(open.back().at);
  }
};

}  // namespace detail

TRACECODEC_FUNC deciding_branches::deciding_branches(feed::column_source& trace,
                                                     std::uint64_t end) {
  using detail::executed_graph, detail::decided_frame;
  if (!trace.has().has(feed::column::branch))
    throw trace_error(trace_errc::refused, {.file = std::string(trace.name())},
                      "traces of this format do not have branches");
  const analysis::stack_pointer_column sp = analysis::select_stack_pointer(trace);
  executed_graph graph = detail::graph_of(trace, sp);
  detail::followed_calls<decided_frame> calls(trace, sp);
  const auto begins = [](decided_frame& f, const decided_frame* caller) {
    if (caller != nullptr) f.caller = caller->decided_by();
  };
  trace.move_to(0);
  trace.want(calls.columns());
  for (feed::columns batch; trace.position() < end && trace.next(batch, 1024);)
    for (std::size_t row = 0; row != batch.size() && batch.first() + row < end; ++row) {
      decided_frame& f = calls.step(batch, row, begins, [](decided_frame&) {});
      f.last = graph.find(f.last, f.function, batch.ip()[row]);
      if (f.last == executed_graph::none)
        throw trace_error(trace_errc::corrupt,
                          {.file = std::string(trace.name()), .record = batch.first() + row},
                          "the trace changed while it was read");
      while (!f.open.empty() && f.open.back().join == f.last) f.open.pop_back();
      add(batch.first() + row, f.decided_by());
      const executed_graph::node& n = graph[f.last];
      if (!n.has_choice()) continue;
      if (f.open.empty() || f.open.back().join != n.join) f.open.push_back({n.join, 0});
      f.open.back().at = batch.first() + row;
    }
}

TRACECODEC_FUNC void deciding_branches::add(std::uint64_t at, std::optional<std::uint64_t> branch) {
  constexpr std::size_t most_changes = 4096;  // bytes of a block
  if (!blocks_.empty() && last_ == branch) return;
  if (blocks_.empty() || blocks_.back().changes.size() >= most_changes) {
    // The first block begins with the trace.
    blocks_.push_back({at, at});
    blocks_.back().changes.reserve(most_changes + 20);
    if (blocks_.size() * (most_changes + sizeof(block)) > most_bytes) blocks_.pop_front();
  }
  block& to = blocks_.back();
  for (const std::uint64_t v : {at - to.last, branch ? at - *branch : 0}) {
    std::byte number[10];
    to.changes.insert(to.changes.end(), number, wire::detail::store_uleb(v, number));
  }
  to.last = at;
  last_ = branch;
}

TRACECODEC_FUNC std::optional<std::uint64_t> deciding_branches::of(std::uint64_t at) const {
  const auto next =
      std::upper_bound(blocks_.begin(), blocks_.end(), at,
                       [](std::uint64_t number, const block& b) { return number < b.first; });
  if (next == blocks_.begin()) return std::nullopt;
  const block& in = *std::prev(next);
  std::optional<std::uint64_t> found;
  std::uint64_t change = in.first;
  for (std::span<const std::byte> rest = in.changes; !rest.empty();) {
    std::uint64_t step = 0, distance = 0;
    rest = rest.subspan(wire::detail::scan_uleb(step, rest).at);
    rest = rest.subspan(wire::detail::scan_uleb(distance, rest).at);
    change += step;
    if (change > at) break;
    found = distance == 0 ? std::nullopt : std::optional(change - distance);
  }
  return found;
}

}  // namespace tracecodec::query
