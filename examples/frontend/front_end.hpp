// A decoupled front end in the manner of ChampSim's: predicts every branch, forms fetch blocks and
// sends them to the instruction cache. It keeps no time: see front_end.
#pragma once
#include <tracecodec/feed/instruction.hpp>

#include <cstdint>

#include "branch_unit.hpp"
#include "counts.hpp"
#include "instruction_cache.hpp"
#include "sizes.hpp"
#include "target_predictor.hpp"

namespace frontend {

// Branches are predicted as by branch_unit. A fetch block is a run of instructions in one cache
// line; it ends behind a taken branch, and where the line is left. An instruction belongs to the
// line of its first byte: the traces do not tell how long it is.
template <class Direction, class Targets = target_predictor<>, class Cache = instruction_cache>
class front_end {
 public:
  explicit front_end(const sizes& s = {}) : branches_(s) {}

  template <tracecodec::feed::instruction I> void step(const I& i) {
    const std::uint64_t ip = i.ip();
    ++counts_.instructions;
    counts_.ips.insert(ip);
    fetch(ip);
    const bool mispredicted = branches_.step(i) != 0;
    if (i.is_branch()) count_branch(i, mispredicted);
    if (i.taken()) line_ = no_line;
    data(i);
  }

  [[nodiscard]] const counts& counted() const { return counts_; }
  // Ends the warm-up: what was learnt stays, the counts begin at 0.
  void forget_counts() { counts_ = {}; }

 private:
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  void fetch(std::uint64_t ip) {
    const std::uint64_t line = ip / Cache::line_size;
    if (line == line_) return;
    line_ = line;
    ++counts_.fetch_blocks;
    if (!cache_.access(ip)) ++counts_.cache_misses;
  }

  template <class I> void count_branch(const I& i, bool mispredicted) {
    branch_counts& n = counts_.branches[static_cast<std::size_t>(i.branch())];
    ++n.count;
    n.taken += i.taken();
    n.mispredicted += mispredicted;
  }

  template <class I> void data(const I& i) {
    bool reads = false, writes = false;
    for (const std::uint64_t address : i.source_memory()) {
      reads = true;
      touch(address);
    }
    for (const std::uint64_t address : i.destination_memory()) {
      writes = true;
      touch(address);
    }
    counts_.memory_reads += reads;
    counts_.memory_writes += writes;
  }
  void touch(std::uint64_t address) {
    counts_.data_lines.insert(address / 64);
    counts_.data_pages.insert(address / 4096);
  }

  branch_unit<Targets, Direction> branches_;
  Cache cache_ = {};
  counts counts_ = {};
  std::uint64_t line_ = no_line;  // of the fetch block that is open
};

}  // namespace frontend
