// Branches that decided that the instructions of a trace were executed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"

namespace tracecodec::query {

// The branch on which the execution of each instruction depends (dynamic control dependence).
//
// A graph of each function has the instructions that the trace executes in its calls
// (analysis::call_stacks), and the ways between them. The last instruction of a call leads to the end
// of the function. A way of a conditional branch that the trace never takes leads to the function's
// instruction there, if its address is known and the trace executes it, otherwise to the end. A
// branch has a choice if it has several ways: conditional branches, and indirect jumps that go to
// several places.
//
// An instruction was decided by the last branch with a choice before it, in the same call, after which
// the call executed no instruction that is on all ways from the branch to the end of the function. If
// there is none in the call, it was decided by the branch that decided the call instruction.
class deciding_branches {
 public:
  // Maximum number of different instructions of all functions, and of ways between them.
  static constexpr std::size_t most_instructions = std::size_t{1} << 20, most_ways = 4194304;
  // Maximum size of the stored results. If they are larger, the earliest are forgotten.
  static constexpr std::size_t most_bytes = std::size_t{1} << 28;

  // Reads the whole trace, and then again the instructions before number `end`. Throws the trace_error
  // of the trace, and trace_error(refused) if the trace has no branches, or more different
  // instructions than the limits.
  deciding_branches(feed::column_source& trace, std::uint64_t end);

  // Returns the number of the branch that decided instruction `at`, or nullopt if none did. `at` must
  // be in [first(), end).
  [[nodiscard]] std::optional<std::uint64_t> of(std::uint64_t at) const;
  // Returns the first instruction whose branch is stored.
  [[nodiscard]] std::uint64_t first() const noexcept {
    return blocks_.empty() ? 0 : blocks_.front().first;
  }

 private:
  // Changes of the deciding branch, from instruction `first` on: the distance from the change before,
  // and the distance to the branch, or 0 if there is none.
  struct block {
    std::uint64_t first = 0, last = 0;
    std::vector<std::byte> changes = {};
  };
  void add(std::uint64_t at, std::optional<std::uint64_t> branch);

  std::deque<block> blocks_ = {};
  std::optional<std::uint64_t> last_ = {};  // branch of the last instruction
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/deciding_branches.ipp"
#endif
