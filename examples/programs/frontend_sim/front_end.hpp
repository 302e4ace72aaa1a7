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
    const std::size_t first = memory.begin(row);
    const auto addresses = memory.address.subspan(first, memory.begin(end) - first);
    if (addresses.empty()) return;
    std::uint64_t nowhere = 0;  // entries that are no place in memory
    for (const std::uint64_t address : addresses) nowhere += address == 0;
    if (nowhere != 0) return data_by_rows(memory, row, end);
    touch(addresses);
    // Of a row the first entry is read, if any is, and the last one written. Whether a row has any is hard
    // to foresee, so that there is no branch for each; the first of all rows has an entry, and the last one.
    while (memory.end(row) == first) ++row;
    while (memory.begin(end - 1) == first + addresses.size()) --end;
    std::size_t reads = 0, writes = 0;
    for (std::size_t begin = first; row != end; ++row) {
      const std::size_t behind = memory.end(row), any = begin != behind ? 1 : 0;
      reads += any & (memory.write[begin] ^ 1U);
      writes += any & memory.write[behind - 1];
      begin = behind;
    }
    counts_.memory_reads += reads;
    counts_.memory_writes += writes;
  }
  // The same of rows of which some have entries without a place.
  void data_by_rows(const tracecodec::feed::memory_column& memory, std::size_t row,
                    std::size_t end) {
    for (std::size_t k = memory.begin(row); row != end; ++row) {
      bool reads = false, writes = false;
      for (const std::size_t behind = memory.end(row); k != behind; ++k) {
        if (memory.address[k] == 0) continue;
        (memory.write[k] != 0 ? writes : reads) = true;
        touch(memory.address.subspan(k, 1));
      }
      counts_.memory_reads += reads;
      counts_.memory_writes += writes;
    }
  }
  // A page is new only if a line of it is.
  void touch(std::span<const std::uint64_t> addresses) {
    constexpr unsigned bits_of_line = 6, bits_of_page = 12;
    counts_.data_lines.insert(addresses, bits_of_line, [this](std::uint64_t line) {
      counts_.data_pages.insert(line >> (bits_of_page - bits_of_line));
    });
  }

  branch_unit<Targets, Direction> branches_;
  Cache cache_ = {};
  counts counts_ = {};
  std::uint64_t line_ = no_line;  // of the fetch block that is open
};

}  // namespace frontend
