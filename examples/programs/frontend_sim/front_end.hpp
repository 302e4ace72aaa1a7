// Decoupled front end like ChampSim's. It predicts every branch, forms fetch blocks and sends them
// to the instruction cache. It does not model time.
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
// cache line. The block ends after a taken branch, and where execution leaves the line. An
// instruction belongs to the line of its first byte, because traces do not store the instruction's
// length.
template <class Direction, class Targets = target_predictor<>, class Cache = instruction_cache>
class front_end {
 public:
  explicit front_end(const sizes& s = {}) : branches_(s) {}

  // Processes the next instructions. The rows must have the columns `ip` and `memory`, and the
  // columns for branches. Without the column `is_branch`, no row is a branch.
  void run(const tracecodec::feed::column_batch& batch) {
    const auto& all = batch.all();
    const std::size_t first = batch.begin_row(), size = batch.size();
    const auto ips = all.ip().subspan(first, size);
    if (all.asked().has(tracecodec::feed::column::is_branch))
      step(batch, ips, all.is_branch().subspan(first, size));
    else
      for (const std::uint64_t ip : ips) fetch(ip);
    // The order of instructions does not affect these counts.
    counts_.instructions += size;
    counts_.ips.insert(ips);
    data(all.memory(), first, first + size);
  }

  [[nodiscard]] const counts& counted() const { return counts_; }
  // Ends the warm-up: resets the counts, and keeps what the predictors have learnt.
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
    // Reads precede writes in a row. So the first entry is a read if the row has any read, and the
    // last entry is a write if the row has any write. The processor cannot predict which rows have
    // entries, so the main loop has no branch for empty rows. The main loop needs entries in its
    // first and its last row, so two loops skip empty rows at both ends.
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
  // Counts the rows entry by entry. Call it if some entries have no address.
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
