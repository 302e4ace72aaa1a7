// Finds the loops that a trace executes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../config.hpp"
#include "../feed/columns.hpp"

namespace tracecodec::analysis {

// Loop, identified by the address of its first instruction (head).
struct loop {
  std::uint64_t head = 0;
  std::uint64_t last = 0;              // address of its last back edge
  std::uint64_t entries = 0;           // how often the loop began
  std::uint64_t iterations = 0;        // in all entries
  std::uint64_t fewest = 0, most = 0;  // iterations of an entry
  // Median of the iterations of an entry: the lower one of two. nullopt if there was no memory for it.
  std::optional<std::uint64_t> median = {};
  bool is_median_exact = true;  // false if `median` is the lower end of a range (loop_search)
  std::uint64_t first = 0;      // number of the instruction that took the first back edge
  // Number of the loops around the loop, and the head of the innermost of them, for the entry with the
  // most loops around. `outer` is 0 without one.
  std::uint64_t outer = 0, depth = 0;
};

// Search for loops. It is an analysis (run.hpp).
//
// A back edge is a taken branch, conditional or direct, to its own address or to one before. It must
// stay in the function: the target is not before the first instruction of the function, if the trace
// has the function's call. Indirect jumps are no back edges, because they often lead to other
// functions.
//
// An entry of a loop begins with the first back edge to its head. It has one iteration more than it
// has back edges. It ends when the function executes an instruction outside of the loop, or returns,
// or when a loop around it begins another iteration. A loop reaches from its head to its last back
// edge so far. A loop that is left in its first iteration has no back edge, so that entry is not
// counted. Each thread, and each call of a function, has loops of its own, which are counted
// together.
//
// A median is exact if the entries of the loop have up to most_counts different numbers of
// iterations. Otherwise, it is rounded down to its 4 highest bits, or to fewer if most_counts such
// numbers are not enough.
//
// Memory is bounded by most_loops, by most_nested for each of the open calls (call_stacks), and by
// most_counts for each loop and most_counts_in_all for all.
class loop_search {
 public:
  static constexpr std::size_t most_loops = std::size_t{1} << 20;  // maximum number of loops
  static constexpr std::size_t most_nested = 64;                   // of loops of a call
  // Maximum number of different numbers of iterations that are counted.
  static constexpr std::size_t most_counts = 64, most_counts_in_all = std::size_t{1} << 22;

  // `has` are the columns of the trace.
  explicit loop_search(feed::column_set has);
  loop_search(loop_search&&) noexcept;
  loop_search& operator=(loop_search&&) noexcept;
  ~loop_search();

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept;
  void add(const feed::columns& batch);
  // Returns the loops so far, those with the most iterations first. Loops that have not ended count
  // with the iterations so far.
  [[nodiscard]] std::vector<loop> result() const;
  // Returns true if there were more loops than the limits.
  [[nodiscard]] bool is_cut() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/loops.ipp"
#endif
