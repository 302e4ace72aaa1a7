// Decoupled front end modelled on ChampSim's. The front end predicts every branch, forms fetch
// blocks and sends them to the instruction cache. Timing is not modelled.
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

// Front end that predicts branches with branch_unit. A fetch block is a run of instructions in one
// cache line. A block ends after a taken branch, or when execution leaves the cache line. An
// instruction belongs to the line that contains its first byte, because traces do not store
// instruction lengths.
template <class Direction, class Targets = target_predictor<>, class Cache = instruction_cache>
class front_end {
 public:
  explicit front_end(const sizes& s = {}) : branches_(s) {}

  // Processes the next instructions. The rows must have the columns `ip` and `memory`. If they have
  // the column `is_branch`, they must also have the other branch columns. Without the column
  // `is_branch`, no row counts as a branch.
  void run(const tracecodec::feed::column_batch& batch) {
    const auto& all = batch.all();
    const std::size_t first = batch.begin_row(), size = batch.size();
    const auto ips = all.ip().subspan(first, size);
    if (all.requested().has(tracecodec::feed::column::is_branch))
      step(batch, ips, all.is_branch().subspan(first, size));
    else
      for (const std::uint64_t ip : ips) fetch(ip);
    // The following counts do not depend on the order of instructions.
    counts_.instructions += size;
    counts_.ips.insert(ips);
    data(all.memory(), first, first + size);
  }

  [[nodiscard]] const counts& counted() const { return counts_; }
  // Ends the warm-up. Resets the counts, but not the state of the predictors and of the cache.
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
    std::uint64_t nowhere = 0;  // number of entries without an address
    for (const std::uint64_t address : addresses) nowhere += address == 0;
    if (nowhere != 0) return data_by_rows(memory, row, end);
    touch(addresses);
    // In each row, reads precede writes. Therefore the first entry is a read if the row has any
    // reads, and the last entry is a write if the row has any writes. The processor cannot predict
    // which rows have entries, so the main loop does not branch on empty rows. The loop requires
    // entries in the first and in the last row, so skip empty rows at both ends.
    while (memory.end(row) == first) ++row;
    while (memory.begin(end - 1) == first + addresses.size()) --end;
    std::size_t reads = 0, writes = 0;
    for (std::size_t begin = first; row != end; ++row) {
      const std::size_t row_end = memory.end(row), any = begin != row_end ? 1 : 0;
      reads += any & (memory.write[begin] ^ 1U);
      writes += any & memory.write[row_end - 1];
      begin = row_end;
    }
    counts_.memory_reads += reads;
    counts_.memory_writes += writes;
  }
  // Counts the rows entry by entry. Used if some entries have no address.
  void data_by_rows(const tracecodec::feed::memory_column& memory, std::size_t row,
                    std::size_t end) {
    for (std::size_t k = memory.begin(row); row != end; ++row) {
      bool reads = false, writes = false;
      for (const std::size_t row_end = memory.end(row); k != row_end; ++k) {
        if (memory.address[k] == 0) continue;
        (memory.write[k] != 0 ? writes : reads) = true;
        touch(memory.address.subspan(k, 1));
      }
      counts_.memory_reads += reads;
      counts_.memory_writes += writes;
    }
  }
  // Counts the lines and pages of the addresses. A page can be new only if one of its lines is new.
  void touch(std::span<const std::uint64_t> addresses) {
    constexpr unsigned bits_of_line = 6, bits_of_page = 12;
    counts_.data_lines.insert(addresses, bits_of_line, [this](std::uint64_t line) {
      counts_.data_pages.insert(line >> (bits_of_page - bits_of_line));
    });
  }

  branch_unit<Targets, Direction> branches_;
  Cache cache_ = {};
  counts counts_ = {};
  std::uint64_t line_ = no_line;  // line of the current fetch block
};

}  // namespace frontend
