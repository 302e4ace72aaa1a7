#pragma once
#include <unordered_map>
#include <utility>

#include "../../io/hash.hpp"
#include "../call_tree.hpp"

namespace tracecodec::analysis {

struct call_tree::state {
  struct path_hash {
    std::size_t operator()(const std::pair<std::size_t, std::uint64_t>& path) const noexcept {
      return io::keyed_hash()(path.second, path.first);
    }
  };
  std::unordered_map<std::pair<std::size_t, std::uint64_t>, std::size_t, path_hash> children = {};
};

TRACECODEC_FUNC call_tree::call_tree(feed::column_set has, stack_pointer_column sp)
    : stacks_(has, sp), state_(std::make_unique<state>()) {}
TRACECODEC_FUNC call_tree::call_tree(call_tree&&) noexcept = default;
TRACECODEC_FUNC call_tree& call_tree::operator=(call_tree&&) noexcept = default;
TRACECODEC_FUNC call_tree::~call_tree() = default;

TRACECODEC_FUNC std::size_t call_tree::child_of(std::size_t parent, std::uint64_t function,
                                                std::uint64_t at) {
  const auto found = state_->children.find({parent, function});
  if (found != state_->children.end()) return found->second;
  const std::size_t depth = parent == call_node::none ? 0 : nodes_[parent].depth + 1;
  if (nodes_.size() >= most_nodes || depth == most_depth) {
    cut_ = true;
    return parent == call_node::none ? 0 : parent;
  }
  state_->children.emplace(std::pair(parent, function), nodes_.size());
  nodes_.push_back({.parent = parent, .function = function, .first = at, .depth = depth});
  return nodes_.size() - 1;
}

TRACECODEC_FUNC void call_tree::add(const feed::columns& batch) {
  // The tag of a call is the node, and a flag for a call that does not belong to its caller's node.
  const auto node_of = [](const open_call& c) { return c.tag >> 1U; };
  const auto begins = [&](open_call& c, const open_call* parent, std::size_t) {
    const std::size_t caller = parent == nullptr ? call_node::none : node_of(*parent);
    const std::size_t node = child_of(caller, c.function, c.entry);
    c.tag = node << 1U | (node != caller ? 1 : 0);
    if (node == caller) return;
    ++nodes_[node].calls;
    if (passed_) passed_({node, c.entry, c.thread, true});
  };
  const auto ends = [&](const open_call& c, call_end how, std::uint64_t last, std::uint64_t) {
    if (passed_ && (c.tag & 1U) != 0 && !c.is_first && how != call_end::abandoned)
      passed_({node_of(c), last + 1, c.thread, false});
  };
  const auto jumps = [](const open_call&, std::size_t, std::uint64_t, std::uint64_t) {};
  for (std::size_t row = 0; row != batch.size(); ++row) {
    stacks_.step(batch, row, begins, ends, jumps);
    ++nodes_[node_of(stacks_.running())].instructions;
  }
}

}  // namespace tracecodec::analysis
