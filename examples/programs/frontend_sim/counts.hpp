// What the front end counts, all in one place: a warm-up ends by setting it back to nothing.
// Ratios are the report's.
#pragma once
#include <tracecodec/feed/instruction.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include "../common/number_set.hpp"

namespace frontend {

using tracecodec::feed::branch_class;
using tracecodec::feed::branch_class_count;

struct branch_counts {
  std::uint64_t count = 0, taken = 0, mispredicted = 0;
};

struct counts {
  std::uint64_t instructions = 0;
  // By class. Those under not_branch are what only the trace's own flag calls a branch.
  std::array<branch_counts, branch_class_count> branches = {};
  std::uint64_t memory_reads = 0, memory_writes = 0;  // instructions with any
  std::uint64_t fetch_blocks = 0, cache_misses = 0;   // each block is one access of the cache
  examples::number_set ips = {};
  examples::number_set data_lines = {}, data_pages = {};  // of 64 bytes and 4 KiB

  [[nodiscard]] bool has_branches() const {
    return std::any_of(branches.begin(), branches.end(),
                       [](const branch_counts& b) { return b.count != 0; });
  }
  // The first six classes together, as ChampSim's accuracy and MPKI have them.
  [[nodiscard]] branch_counts known_branches() const {
    branch_counts sum;
    for (std::size_t c = 0; c < static_cast<std::size_t>(branch_class::other); ++c) {
      sum.count += branches[c].count;
      sum.taken += branches[c].taken;
      sum.mispredicted += branches[c].mispredicted;
    }
    return sum;
  }
};

}  // namespace frontend
