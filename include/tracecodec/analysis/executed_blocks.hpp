// Finds the basic blocks and the instructions that a trace executes, and how often. Files of code
// coverage are made of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../config.hpp"
#include "../feed/columns.hpp"

namespace tracecodec::analysis {

struct executed_block {
  std::uint64_t address = 0;  // address of the first instruction
  std::uint64_t size = 0;     // number of bytes up to the end of the last instruction
  std::uint64_t executions = 0;
};

struct executed_instruction {
  std::uint64_t address = 0;
  std::uint64_t executions = 0;
};

// All blocks of a trace, with exact counts. It is an analysis (run.hpp). Memory grows with the
// number of blocks and their instructions.
//
// A block is a sequence of instructions that one thread executes one after the other in memory. It
// ends with a branch, taken or not, before an instruction that does not follow the previous one, as
// after an exception, and after most_instructions. A repeated instruction ("rep movsb") counts
// once. Blocks may overlap, as those of a loop that the program enters in the middle.
//
// If the format does not store the sizes of instructions, an instruction follows another one up to
// 15 bytes after it, and the last instruction of a block counts as one byte.
class executed_blocks {
 public:
  // Maximum number of instructions of a block.
  static constexpr std::size_t most_instructions = 1024;

  // `has` are the columns of the trace.
  explicit executed_blocks(feed::column_set has);
  executed_blocks(executed_blocks&&) noexcept;
  executed_blocks& operator=(executed_blocks&&) noexcept;
  ~executed_blocks();

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  void add(const feed::columns& batch);
  // Ends the blocks that the threads execute at the end of the trace.
  void finish();

  // Returns the blocks that have ended, in the order in which they first ended. Blocks with the
  // same address differ in size.
  [[nodiscard]] std::span<const executed_block> result() const noexcept { return blocks_; }
  // Returns the instructions of these blocks, sorted by address. An instruction that several blocks
  // contain is one instruction.
  [[nodiscard]] std::vector<executed_instruction> instructions() const;

 private:
  struct state;
  feed::column_set columns_;
  std::vector<executed_block> blocks_ = {};
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/executed_blocks.ipp"
#endif
