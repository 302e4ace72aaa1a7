// The basic blocks in which a program spends its instructions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "frequent.hpp"
#include "instruction_code.hpp"

namespace tracecodec::analysis {

// An instruction of a block, of a format that has code.
struct block_instruction : instruction_code {
  // Bytes of `text` that are kept.
  static constexpr std::size_t longest_text = 256;
  std::uint64_t ip = 0;
  // Of formats whose traces hold it. Of others what the code says is to be disassembled
  // (feed::column_source::assembly_of).
  std::string text = {};
};

struct hot_block {
  std::uint64_t executions = 0;
  std::uint64_t length = 0;  // instructions, of its longest execution
  // Of a format that has code: the number in the trace of an instruction of it, for what changes over
  // time; its first instructions, each once; whether it has others.
  std::uint64_t index = 0;
  std::vector<block_instruction> code = {};
  bool more = false;
};

// Blocks by the address of their first instruction: a block begins behind a branch, taken or not,
// at the first instruction of the trace, where another thread goes on, and, of a format that knows how
// long instructions are, where an instruction is neither behind the one before nor the same once
// more (an exception, a gap in the trace). The counts are of instructions executed in it, with the
// error of `frequent`. Of a format that has code the first instructions of a block are kept, each as
// it is when it is first executed: an execution that another thread cuts short is continued by a later
// one, and what repeats itself ("rep movsb") is there once.
class hot_blocks {
 public:
  using table = frequent<hot_block>;
  using entry = table::entry;
  static constexpr std::size_t most_kept = 32;  // instructions of a block

  // `trace` is asked for code, and must stay where it is; its batches are kept from now on.
  explicit hot_blocks(feed::column_source& trace, std::size_t capacity = 4096);

  // The columns that batches must have.
  [[nodiscard]] feed::column_set columns() const noexcept;

  // Adds the next batch, which the source has filled last. Returns how many rows were added: fewer if the code or the text
  // of the next one cannot be read, which failure() then is.
  std::size_t add(const feed::columns& batch);
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

  // The blocks so far. Their keys are addresses.
  [[nodiscard]] const table& result() const noexcept { return blocks_; }

 private:
  // What the last instruction leaves.
  struct state {
    entry* block = nullptr;
    std::uint64_t place = 0;           // in the block, of the next instruction
    std::uint64_t ip = 0, behind = 0;  // of the instruction, and what follows it
    std::uint32_t thread = 0;
    bool begins = true;
  };
  static bool is_new(const hot_block& b, std::uint64_t ip) noexcept;
  void keep(hot_block& b, const feed::columns& batch, std::size_t row);

  feed::column_source* trace_;
  table blocks_;
  feed::columns told_ = {};
  std::exception_ptr failure_ = {};
  state state_ = {};
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/hot_blocks.ipp"
#endif
