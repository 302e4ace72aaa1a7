// Feed of a UMTracer trace, for any disassembler. feed.hpp provides a feed with the default
// disassembler.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../config.hpp"
#include "../../feed/executed_batch.hpp"
#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../../x86/any_disassembler.hpp"
#include "../../x86/executed_instruction.hpp"
#include "../layout/names.hpp"
#include "../reader.hpp"

namespace tracecodec::umtracer {

using x86::outcome;

// View of one instruction, valid as long as the instruction's batch is valid. index() returns the
// id of the instruction's record.
class instruction_view : public x86::executed_view<x86::executed_instruction> {
 public:
  TRACECODEC_INLINE constexpr instruction_view(const x86::executed_instruction* l,
                                               std::uint64_t target, const reader* trace,
                                               const x86::executed_instruction* /*front*/) noexcept
      : executed_view(l, target), trace_(trace) {}

  // Returns the record of the instruction, which contains its operand values.
  [[nodiscard]] record_view execution() const;
  // Returns the instruction's row in the instruction table.
  [[nodiscard]] std::size_t row() const;
  [[nodiscard]] std::span<const std::byte> code() const;
  [[nodiscard]] constexpr const reader& trace() const noexcept { return *trace_; }

 private:
  const reader* trace_;
};

using instruction_batch =
    feed::executed_batch<instruction_view, x86::executed_instruction, const reader*>;

// Options that select instructions and the names used to recognise branches.
struct feed_options {
  // Thread id of the instructions to return, or nullopt to return the instructions of all threads.
  // If the trace does not contain the thread, the feed is empty.
  std::optional<std::uint32_t> thread = {};
  // Names of categories and mnemonics, used to recognise branches. Without names, the feed decodes
  // the code bytes to recognise branches.
  std::shared_ptr<const umtracer::names> names = {};
};

namespace detail {
class lifter;
struct decoded_row;

// Part of a feed that does not depend on the disassembler.
class trace_instructions : public feed::iterable<trace_instructions> {
 public:
  using batch_type = instruction_batch;

  // Returns up to 1,024 instructions, or none at the end. The instructions are valid until the next
  // call. Throws the errors of the reader. After an error, every call throws the same error until
  // rewind() is called.
  batch_type next();
  // Skips up to `n` instructions, and returns the number of skipped instructions. Stops at a
  // damaged record. next() then throws the error. Skipped records are read but not converted.
  std::uint64_t skip(std::uint64_t n);
  // Moves back to the first instruction, even after an error.
  void rewind();
  // Returns the number of instructions of the selected threads. Reads every record.
  std::optional<std::uint64_t> count();

  // Returns the fraction of the trace's records that the feed has read, from 0 to 1. Returns 1 if
  // the trace has no records.
  [[nodiscard]] std::optional<double> progress() const {
    return trace_->size() == 0 ? 1.0
                               : static_cast<double>(at_) / static_cast<double>(trace_->size());
  }
  [[nodiscard]] const std::string& name() const { return trace_->files().folder(); }
  [[nodiscard]] const reader& trace() const { return *trace_; }

  // Returns the number of instructions with more operands than an instruction of the feed can
  // store.
  [[nodiscard]] std::uint64_t dropped_operands() const { return counts_.clipped; }
  // Returns the counts for the instructions returned so far. After rewind(), the feed does not
  // count instructions a second time.
  [[nodiscard]] x86::lift_counts counts() const { return counts_; }

 protected:
  // Creates a feed of `trace`. `code32` decodes 32-bit code, and `code64` decodes 64-bit code.
  trace_instructions(reader trace, feed_options options, x86::any_disassembler code32,
                     x86::any_disassembler code64);
  trace_instructions(trace_instructions&&) noexcept;
  trace_instructions& operator=(trace_instructions&&) noexcept;
  ~trace_instructions();

 private:
  bool find();
  void take(x86::executed_instruction& l);
  void follow(const record_view& r, const decoded_row& row, x86::executed_instruction& l) const;
  [[nodiscard]] std::optional<std::uint64_t> successor(const record_view& r) const;

  // Reader on the heap, so that views of the reader remain valid when the feed is moved.
  std::unique_ptr<const reader> trace_;
  feed_options options_;
  std::unique_ptr<lifter> lifter_;
  std::vector<x86::executed_instruction> batch_;
  std::uint64_t at_ = 0;
  std::exception_ptr failure_ = {};
  x86::lift_counts counts_ = {};
  std::uint64_t counted_to_ = 0;
  std::optional<std::uint64_t> count_ = {};
};
}  // namespace detail

// Feed of a trace's instruction records (feed::stream). The feed is also a range. The feed returns
// the instructions of all threads, or of one thread, in trace order. The asid of an instruction is
// the thread id. Operands come from the decoded instructions in the trace.
//
// A conditional branch is not taken if its record has the flag exec_flags::not_executed. It is also
// not taken if the thread's next instruction is the fall-through instruction, unless that
// instruction is the branch's target. All other branches are taken.
//
// The target is the address of the thread's next instruction. If the thread ends, or continues
// elsewhere after an exception or a gap in the instrumentation, outcome() returns
// outcome::estimated. The target is then determined from the branch itself or from the record's
// values. If neither contains the target, the target is 0.
//
// Throws the errors of the reader, but only after it has returned all instructions before the
// damaged record.
template <x86::disassembler D> class decoded_feed : public detail::trace_instructions {
 public:
  explicit decoded_feed(reader trace, feed_options options = {})
      : trace_instructions(std::move(trace), std::move(options),
                           x86::any_disassembler(D(wire::target::x86)),
                           x86::any_disassembler(D(wire::target::x64))) {}
  explicit decoded_feed(const std::string& folder, feed_options options = {})
      : decoded_feed(reader(folder), std::move(options)) {}
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/decoded_feed.ipp"
#endif
