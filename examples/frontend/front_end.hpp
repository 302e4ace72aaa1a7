// A decoupled front end in the manner of ChampSim's: predicts every branch, forms fetch blocks and
// sends them to the instruction cache. It keeps no time: see front_end.
#pragma once
#include <tracecodec/feed/column_row.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

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

  // The next instructions: rows that have `ip`, `memory`, and what branches do; where they have that not
  // (`is_branch`), no row is a branch.
  void run(const tracecodec::feed::column_batch& batch) {
    const auto& all = batch.all();
    const std::size_t first = batch.begin_row(), size = batch.size();
    const auto ips = all.ip().subspan(first, size);
    if (all.asked().has(tracecodec::feed::column::is_branch))
      step(batch, ips, all.is_branch().subspan(first, size));
    else
      for (const std::uint64_t ip : ips) fetch(ip);
    // What is no matter of their order.
    counts_.instructions += size;
    counts_.ips.insert(ips);
    data(all.memory(), first, first + size);
  }

  [[nodiscard]] const counts& counted() const { return counts_; }
  // Ends the warm-up: what was learnt stays, the counts begin at 0.
  void forget_counts() { counts_ = {}; }

 private:
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  void step(const tracecodec::feed::column_batch& batch, std::span<const std::uint64_t> ips,
            std::span<const std::uint8_t> are_branches) {
    for (std::size_t n = 0; n != ips.size(); ++n) {
      fetch(ips[n]);
      if (are_branches[n] == 0) {
        branches_.pass(ips[n]);
        continue;
      }
      const auto i = batch[n];
      count_branch(i, branches_.step(i) != 0);
      if (i.taken()) line_ = no_line;
    }
  }
  void fetch(std::uint64_t ip) {
    const std::uint64_t line = ip / Cache::line_size;
    if (line == line_) return;
    line_ = line;
    ++counts_.fetch_blocks;
    if (!cache_.access(ip)) ++counts_.cache_misses;
  }

  void count_branch(const tracecodec::feed::column_row& i, bool mispredicted) {
    branch_counts& n = counts_.branches[static_cast<std::size_t>(i.branch())];
    ++n.count;
    n.taken += i.taken();
    n.mispredicted += mispredicted;
  }

  void data(const tracecodec::feed::memory_column& memory, std::size_t row, std::size_t end) {
    for (std::size_t k = memory.begin(row); row != end; ++row) {
      const std::size_t behind = memory.end(row);
      if (k == behind) continue;
      bool reads = false, writes = false;
      for (; k != behind; ++k) {
        const std::uint64_t address = memory.address[k];
        if (address == 0) continue;  // no place in memory
        (memory.write[k] != 0 ? writes : reads) = true;
        counts_.data_lines.insert(address / 64);
        counts_.data_pages.insert(address / 4096);
      }
      counts_.memory_reads += reads;
      counts_.memory_writes += writes;
    }
  }

  branch_unit<Targets, Direction> branches_;
  Cache cache_ = {};
  counts counts_ = {};
  std::uint64_t line_ = no_line;  // of the fetch block that is open
};

}  // namespace frontend
