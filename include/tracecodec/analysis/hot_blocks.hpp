// Finds the basic blocks in which a program executes most of its instructions.
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

// Instruction of a block, for formats with code.
struct block_instruction : instruction_code {
  // Maximum length of `text` in bytes. Longer text is truncated.
  static constexpr std::size_t longest_text = 256;
  std::uint64_t ip = 0;
  // Text of the instruction, if the trace stores text. If the text is empty, disassemble the code
  // (feed::column_source::assembly_of).
  std::string text = {};
};

struct hot_block {
  std::uint64_t executions = 0;
  std::uint64_t length = 0;  // number of instructions in the block's longest execution
  // Members for formats with code. `index` is the position of one of the block's instructions in
  // the trace, for looking up properties that change over time. `code` contains the block's first
  // instructions, each once. `more` is true if the block has further instructions.
  std::uint64_t index = 0;
  std::vector<block_instruction> code = {};
  bool more = false;
};

// Counter of executed instructions per block. A block is identified by the address of its first
// instruction. A block begins at the trace's first instruction, after a branch (taken or not), and
// wherever the trace switches to another thread. If the format stores the lengths of instructions,
// a block also begins at an instruction that neither follows nor repeats the previous instruction.
// This happens after an exception or a gap in the trace. Counts can be too low, as in `frequent`.
//
// For formats with code, the first instructions of a block are stored as they were first executed.
// If another thread interrupts an execution, a later execution supplies the remaining instructions.
// A repeated instruction ("rep movsb") is stored once.
class hot_blocks {
 public:
  using table = frequent<hot_block>;
  using entry = table::entry;
  static constexpr std::size_t most_kept = 32;  // maximum number of instructions stored per block

  // Creates a counter for up to `capacity` blocks, and calls keep_batches() of `trace`. `trace`
  // must not move, because the counter reads code from `trace`.
  explicit hot_blocks(feed::column_source& trace, std::size_t capacity = 4096);

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept;

  // Adds the batch that the source filled most recently, and returns the number of added rows.
  // Stops early if the code or text of a row cannot be read. In that case, failure() returns the
  // error.
  std::size_t add(const feed::columns& batch);
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

  // Returns the blocks found so far, with addresses as keys.
  [[nodiscard]] const table& result() const noexcept { return blocks_; }

 private:
  // State after the last instruction.
  struct state {
    entry* block = nullptr;
    std::uint64_t place = 0;  // position of the next instruction in the current block
    // Address of the last instruction, and the address directly after that instruction.
    std::uint64_t ip = 0, next_ip = 0;
    std::uint32_t thread = 0;
    bool begins = true;
  };
  static bool is_new(const hot_block& b, std::uint64_t ip) noexcept;
  void keep(hot_block& b, const feed::columns& batch, std::size_t row);

  feed::column_source* trace_;
  table blocks_;
  feed::columns row_ = {};
  std::exception_ptr failure_ = {};
  state state_ = {};
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/hot_blocks.ipp"
#endif
