// Finds by how much the modules, the heap and the stack of a program moved from one run to another,
// as they do under address-space layout randomisation.
#pragma once
#include <cstdint>
#include <vector>

#include "../config.hpp"
#include "code_anchors.hpp"
#include "relocation.hpp"

namespace tracecodec::analysis {

// Region of the second run, and what supports the distance by which it moved.
struct found_region {
  moved_region where = {};  // from the second run to the first
  // Executions of the second run's anchors in the region, and those of them that the first run also
  // has, at the relocated address.
  std::uint64_t instructions = 0, instructions_agree = 0;
  // Addresses that anchors of both runs access in the region, and those of them that the relocation
  // maps to each other.
  std::uint64_t addresses = 0, addresses_agree = 0;
};

struct found_relocation {
  // Regions in ascending order, including those that did not move. Empty if the runs have no code
  // in common.
  std::vector<found_region> regions = {};
  // Executions of all anchors of the second run, and those of them that agree.
  std::uint64_t instructions = 0, instructions_agree = 0;

  // Returns true if any region moved.
  [[nodiscard]] bool moves() const noexcept;
  [[nodiscard]] analysis::relocation relocation() const;
};

// Finds the regions that moved between two runs of which `a` and `b` are the anchors.
//
// An anchor of both runs connects an address of the second run to one of the first: its ip, and the
// first addresses that it reads and writes. The distances of these pairs, in the order of their
// addresses, are split into segments of one distance such that the number of pairs with another
// distance, plus a price for each segment, is minimal. The price is 8 pairs, or 2 after a gap of
// 1 MiB. A segment with fewer than 4 pairs is dropped, and one in which less than a quarter of the
// pairs agree, and one in which less than a sixteenth of the executed anchors do. There is no result
// unless a segment has 8 anchors. A region extends to the middle of the gap to the next one, but at
// most 16 MiB beyond its pairs. Distances that are not multiples of 8 are ignored (relocation). The
// time is O(n log n), and at most 64 regions are returned: those with the most pairs.
found_relocation find_relocation(const code_anchors& a, const code_anchors& b);

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/find_relocation.ipp"
#endif
