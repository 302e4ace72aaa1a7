// Basic-block vectors: how often a program executed each of its blocks, interval by interval.
// SimPoint and similar tools use the vectors to group similar intervals and to simulate one
// interval per group.
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
// first instruction. It begins after a branch and ends with the next branch. Blocks are
// numbered from 1 in the order in which they appear. An interval has a fixed number of
// instructions, and may end inside a block.
class block_vectors {
 public:
  // Creates a builder for intervals of `interval` instructions, at least 1.
  explicit block_vectors(std::uint64_t interval);
  block_vectors(block_vectors&&) noexcept;
  block_vectors& operator=(block_vectors&&) noexcept;
  ~block_vectors();

  // Returns the columns that batches must have.
  [[nodiscard]] feed::column_set columns() const noexcept {
    return {feed::column::ip, feed::column::is_branch};
  }
  // Adds the next batch.
  void add(const feed::columns& batch) { add(batch.ip(), batch.is_branch()); }
  // Adds the next instructions: the columns ip and is_branch of a batch or of a part of a
  // batch.
  void add(std::span<const std::uint64_t> ips, std::span<const std::uint8_t> is_branch);
  // Ends the current interval early, if it has any instruction.
  void finish();

  // Moves out the lines of the intervals that have ended since the last call, in SimPoint's
  // format of frequency vectors, such as "T:1:420 :7:13 \n". After the T, each block has its
  // number and the number of instructions executed in the block.
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
