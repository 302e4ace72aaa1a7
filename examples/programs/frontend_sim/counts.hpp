// Counts of the front end. They are in one struct, so that the end of the warm-up can reset them.
// The report computes ratios from the counts.
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
  // Counts for each branch class. The class not_branch contains branches that only the trace's own
  // branch flag identifies.
  std::array<branch_counts, branch_class_count> branches = {};
  // Numbers of instructions that read memory and of instructions that write memory.
  std::uint64_t memory_reads = 0, memory_writes = 0;
  // Numbers of fetch blocks and of cache misses. Each fetch block accesses the cache once.
  std::uint64_t fetch_blocks = 0, cache_misses = 0;
  examples::number_set ips = {};
  // Sets of the 64-byte lines and of the 4 KiB pages that contain accessed data.
  examples::number_set data_lines = {}, data_pages = {};

  [[nodiscard]] bool has_branches() const {
    return std::any_of(branches.begin(), branches.end(),
                       [](const branch_counts& b) { return b.count != 0; });
  }
  // Returns the sum of the counts for the first six classes. ChampSim computes accuracy and MPKI
  // from this sum.
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
