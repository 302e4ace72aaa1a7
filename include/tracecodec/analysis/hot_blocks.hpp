// The basic blocks in which a program spends its instructions.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../feed/instruction.hpp"
#include "../feed/values.hpp"
#include "frequent.hpp"
#include "instruction_text.hpp"

namespace tracecodec::analysis {

// An instruction of a block, of a feed that has code.
struct block_instruction : instruction_text {
  std::uint64_t ip = 0;
};

namespace detail {
struct block_counts {
  std::uint64_t executions = 0;
  std::uint64_t length = 0;  // instructions, of its longest execution
};
template <std::size_t Kept> struct block_with_code : block_counts {
  std::uint64_t index = 0;  // in the trace of an instruction of it, for what changes over time
  std::array<block_instruction, Kept> code = {};  // its first instructions, each once
  std::size_t kept = 0;                           // how many of them
  bool more = false;                              // it has others
};
}  // namespace detail

// Blocks by the address of their first instruction: a block begins behind a branch, taken or not,
// at the first instruction of the trace, where another thread goes on, and, of a feed that knows how
// long instructions are, where an instruction is neither behind the one before nor the same once
// more (an exception, a gap in the trace). The counts are of instructions executed in it, with the
// error of `frequent`. Of a feed that has code (values.hpp) the first `Kept` instructions of a block
// are kept, each as it is when it is first executed: an execution that another thread cuts short is
// continued by a later one, and what repeats itself ("rep movsb") is there once.
template <feed::instruction I, std::size_t Kept = 32> class hot_blocks {
  using data =
      std::conditional_t<feed::with_code<I>, detail::block_with_code<Kept>, detail::block_counts>;

 public:
  using table = frequent<data>;
  using entry = typename table::entry;

  explicit hot_blocks(std::size_t capacity = 4096) : blocks_(capacity) {}

  // The next instruction. Throws trace_error as its code() and assembly().
  void add(const I& i) {
    if (begins_ || i.asid() != thread_ || !follows(i)) {
      block_ = &blocks_[i.ip()];
      ++block_->data.executions;
      place_ = 0;
      thread_ = i.asid();
    }
    ++block_->count;
    if constexpr (feed::with_code<I>) keep(i);
    ++place_;
    block_->data.length = std::max(block_->data.length, place_);
    begins_ = i.is_branch();
    ip_ = i.ip();
    if constexpr (requires { i.length(); }) behind_ = ip_ + i.length();
  }

  // Their keys are addresses.
  [[nodiscard]] const table& blocks() const noexcept { return blocks_; }

 private:
  [[nodiscard]] bool follows(const I& i) const {
    if constexpr (requires { i.length(); }) return i.ip() == behind_ || i.ip() == ip_;
    return true;
  }
  // The next one, if it is behind those that are kept.
  void keep(const I& i) {
    data& d = block_->data;
    if (d.more) return;
    if (d.kept != 0) {
      const block_instruction& last = d.code[d.kept - 1];
      if (i.ip() != last.ip + last.size) return;
      if (d.kept == Kept) {
        d.more = true;
        return;
      }
    }
    block_instruction next = {{}, i.ip()};
    keep_text(i, next);
    d.code[d.kept++] = next;
    if constexpr (requires { i.index(); }) block_->data.index = i.index();
  }

  table blocks_;
  entry* block_ = nullptr;
  std::uint64_t place_ = 0;            // in the block, of the next instruction
  std::uint64_t ip_ = 0, behind_ = 0;  // of the instruction before, and what follows it
  std::uint32_t thread_ = 0;
  bool begins_ = true;
};

}  // namespace tracecodec::analysis
