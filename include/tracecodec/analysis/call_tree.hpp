// Finds which functions a trace executes, and which function calls which.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../feed/columns.hpp"
#include "call_stack.hpp"

namespace tracecodec::analysis {

// Function in the tree of calls, called along one path. A function that is called along two paths
// is twice in the tree.
struct call_node {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t parent = none;       // index of the caller; none for the first function of a thread
  std::uint64_t function = 0;      // address of the first instruction that was executed
  std::uint64_t calls = 0;         // number of calls; 1 for the first function of a thread
  std::uint64_t instructions = 0;  // instructions of the function itself
  std::uint64_t first = 0;         // number of the first instruction
  std::size_t depth = 0;           // number of nodes above
};

// Begin or end of a call, or begin of the first function of a thread.
struct call_event {
  std::size_t node = call_node::none;  // index of the function
  std::uint64_t at = 0;  // number of the first instruction, or of the one after the end
  std::uint32_t thread = 0;
  bool begins = false;
};

// Tree of the calls in a trace, for all threads, as call_stacks follows them. It is an analysis
// (run.hpp).
class call_tree {
 public:
  // Maximum number of nodes, and of nodes along a path. Further calls belong to the node of their
  // caller.
  static constexpr std::size_t most_nodes = std::size_t{1} << 20, most_depth = 1024;

  // `has` are the columns of the trace. `sp` is the result of select_stack_pointer(), if the stack
  // pointer was selected.
  explicit call_tree(feed::column_set has, stack_pointer_column sp = {});
  call_tree(call_tree&&) noexcept;
  call_tree& operator=(call_tree&&) noexcept;
  ~call_tree();

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return stacks_.columns(); }
  void add(const feed::columns& batch);
  // Returns the nodes so far. A parent precedes its children.
  [[nodiscard]] std::span<const call_node> result() const noexcept { return nodes_; }
  // Returns true if there were calls beyond most_nodes or most_depth.
  [[nodiscard]] bool is_cut() const noexcept { return cut_; }
  // Returns the number of returns that did not lead to a call.
  [[nodiscard]] std::uint64_t unmatched_returns() const noexcept {
    return stacks_.unmatched_returns();
  }
  // Calls passed(event) for each call that begins or ends from now on. Calls that go on at the end
  // of the trace have no end, and neither have calls that belong to the node of their caller.
  void on_event(std::function<void(const call_event&)> passed) { passed_ = std::move(passed); }

 private:
  struct state;
  std::size_t child_of(std::size_t parent, std::uint64_t function, std::uint64_t at);

  call_stacks stacks_;
  std::vector<call_node> nodes_ = {};
  std::unique_ptr<state> state_;
  bool cut_ = false;
  std::function<void(const call_event&)> passed_ = {};
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/call_tree.ipp"
#endif
