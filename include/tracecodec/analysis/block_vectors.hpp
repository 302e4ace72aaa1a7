// Basic-block vectors: how often a program executed each of its blocks, interval by interval. SimPoint and
// its like group intervals by them, and simulate one of each group.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../config.hpp"
#include "../feed/columns.hpp"

namespace tracecodec::analysis {

// Blocks are as hot_blocks has them: by the address of their first instruction, each from behind a branch to
// the next branch; they are numbered from 1 in the order in which they appear. An interval is so many
// instructions, whatever block it ends in.
class block_vectors {
 public:
  // `interval` is instructions, at least 1.
  explicit block_vectors(std::uint64_t interval);
  block_vectors(block_vectors&&) noexcept;
  block_vectors& operator=(block_vectors&&) noexcept;
  ~block_vectors();

  // The columns that batches must have.
  [[nodiscard]] feed::column_set columns() const noexcept {
    return {feed::column::ip, feed::column::is_branch};
  }
  // Adds the next batch.
  void add(const feed::columns& batch) { add(batch.ip(), batch.is_branch()); }
  // Adds the next instructions: the columns ip and is_branch of a batch, or of part of one.
  void add(std::span<const std::uint64_t> ips, std::span<const std::uint8_t> is_branch);
  // Ends the interval that has begun, if it has an instruction.
  void finish();

  // Moves out the lines of the intervals that have ended since the last call, in the form of SimPoint's frequency
  // vectors: "T:1:420 :7:13 \n", T and of each block its number and the instructions executed in it.
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
