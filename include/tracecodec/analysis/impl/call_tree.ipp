#pragma once
#include <map>
#include <unordered_map>
#include <utility>

#include "../../feed/instruction.hpp"
#include "../../io/hash.hpp"
#include "../call_stack.hpp"
#include "../call_tree.hpp"

namespace tracecodec::analysis {

struct call_tree::thread {
  std::size_t node = call_node::none;
  call_stack<std::size_t> stack = {};  // with the nodes of the callers
  bool enters = false;  // true if the next instruction is the first one of a called function
};

struct call_tree::state {
  struct path_hash {
    std::size_t operator()(const std::pair<std::size_t, std::uint64_t>& path) const noexcept {
      return io::keyed_hash()(path.second, path.first);
    }
  };
  std::unordered_map<std::pair<std::size_t, std::uint64_t>, std::size_t, path_hash> children = {};
  std::map<std::uint32_t, thread> threads = {};
};

TRACECODEC_FUNC call_tree::call_tree(feed::column_set has)
    : columns_{feed::column::ip, feed::column::branch, feed::column::taken, feed::column::target,
               feed::column::thread},
      state_(std::make_unique<state>()) {
  if (has.has(feed::column::size)) columns_ = columns_ | feed::column_set{feed::column::size};
}
TRACECODEC_FUNC call_tree::call_tree(call_tree&&) noexcept = default;
TRACECODEC_FUNC call_tree& call_tree::operator=(call_tree&&) noexcept = default;
TRACECODEC_FUNC call_tree::~call_tree() = default;

TRACECODEC_FUNC std::size_t call_tree::child_of(std::size_t parent, std::uint64_t function,
                                                std::uint64_t at) {
  const auto found = state_->children.find({parent, function});
  if (found != state_->children.end()) return found->second;
  const std::size_t depth = parent == call_node::none ? 0 : nodes_[parent].depth + 1;
  if (depth != 0 && (nodes_.size() >= most_nodes || depth == most_depth)) {
    cut_ = true;
    return parent;
  }
  state_->children.emplace(std::pair(parent, function), nodes_.size());
  nodes_.push_back({.parent = parent, .function = function, .first = at, .depth = depth});
  return nodes_.size() - 1;
}

TRACECODEC_FUNC void call_tree::add(const feed::columns& batch) {
  const bool has_sizes = columns_.has(feed::column::size);
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t ip = batch.ip()[row], at = batch.first() + row;
    thread& t = state_->threads[batch.thread()[row]];
    if (t.node == call_node::none || t.enters) {
      const std::size_t callee = child_of(t.node, ip, at);
      if (callee != t.node) {
        ++nodes_[callee].calls;
        if (passed_) passed_({callee, at, batch.thread()[row], true});
      }
      t.node = callee;
      t.enters = false;
    }
    ++nodes_[t.node].instructions;
    if (batch.taken()[row] == 0) continue;
    const feed::branch_class kind = batch.branch()[row];
    if (kind == feed::branch_class::direct_call || kind == feed::branch_class::indirect_call) {
      t.stack.push(ip, has_sizes ? batch.code_size()[row] : 0, t.node);
      t.enters = true;
    } else if (kind == feed::branch_class::return_) {
      const auto caller = t.stack.return_to(batch.target()[row]);
      if (!caller) {
        ++unmatched_;
        continue;
      }
      if (passed_)
        for (std::size_t ended = t.node; ended != *caller; ended = nodes_[ended].parent)
          passed_({ended, at + 1, batch.thread()[row], false});
      t.node = *caller;
    }
  }
}

}  // namespace tracecodec::analysis
