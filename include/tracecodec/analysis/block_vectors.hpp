// Builds basic-block vectors. A vector counts the instructions that one interval of a run executed
// in each basic block. SimPoint and similar tools use these vectors to group similar intervals, so
// that only one interval of each group needs to be simulated.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../config.hpp"
#include "../feed/columns.hpp"

namespace tracecodec::analysis {

// Builder of basic-block vectors. As in hot_blocks, a block is identified by the address of its
// first instruction. A block begins after a branch and ends with the next branch. Blocks are
// numbered from 1 in the order in which they appear. An interval has a fixed number of
// instructions, and may end inside a block.
class block_vectors {
 public:
  // Creates a builder for intervals of `interval` instructions. `interval` must be at least 1.
  explicit block_vectors(std::uint64_t interval);
  block_vectors(block_vectors&&) noexcept;
  block_vectors& operator=(block_vectors&&) noexcept;
  ~block_vectors();

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept {
    return {feed::column::ip, feed::column::is_branch};
  }
  // Adds the next batch.
  void add(const feed::columns& batch) { add(batch.ip(), batch.is_branch()); }
  // Adds the next instructions. The arguments are the columns ip and is_branch of a batch, or of a
  // part of a batch.
  void add(std::span<const std::uint64_t> ips, std::span<const std::uint8_t> is_branch);
  // Ends the current interval early, unless it is empty.
  void finish();

  // Returns one line for each interval that has ended since the last call. A line is a frequency
  // vector in SimPoint's format, such as "T:1:420 :7:13 \n". After the T, each entry consists of a
  // block's number and the number of instructions executed in that block.
  [[nodiscard]] std::string result();
  [[nodiscard]] std::uint64_t intervals() const noexcept;
  [[nodiscard]] std::uint64_t blocks() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/block_vectors.ipp"
#endif
