// UMTracer traces as simulator instructions, with any disassembler; feed.hpp has the usual one.
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
#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../../x86/any_disassembler.hpp"
#include "../../x86/lifted_batch.hpp"
#include "../layout/names.hpp"
#include "../reader.hpp"

namespace tracecodec::umtracer {

using x86::outcome;

// One instruction. index() is the id of its record. Valid as long as its batch.
class instruction_view : public x86::lifted_view<x86::lifted> {
 public:
  TRACECODEC_INLINE constexpr instruction_view(const x86::lifted* l, std::uint64_t target,
                                               const reader* trace,
                                               const x86::lifted* /*front*/) noexcept
      : lifted_view(l, target), trace_(trace) {}

  // The record that it comes from, with the values of its operands.
  [[nodiscard]] record_view execution() const;
  // Its row in the instruction table.
  [[nodiscard]] std::size_t row() const;
  [[nodiscard]] std::span<const std::byte> code() const;
  [[nodiscard]] constexpr const reader& trace() const noexcept { return *trace_; }

 private:
  const reader* trace_;
};

using instruction_batch = x86::lifted_batch<instruction_view, x86::lifted, const reader*>;

// What a feed delivers, and how it tells branches.
struct feed_options {
  // The id of a thread: only its instructions, none if the trace has no such thread.
  std::optional<std::uint32_t> thread = {};
  // Of categories and mnemonics, by which branches are told; without them their code bytes tell.
  std::shared_ptr<const umtracer::names> names = {};
};

namespace detail {
class lifter;
struct lifted_row;

// What a feed is, whatever its disassembler.
class trace_instructions : public feed::iterable<trace_instructions> {
 public:
  using batch_type = instruction_batch;

  // Up to 1,024 instructions; none at the end. They are valid until the next call. Throws
  // trace_error as the reader, again at each call until rewind().
  batch_type next();
  // Moves `n` instructions on, or to the end; returns how many. Stops at a bad record, for which
  // next() throws. Looks at each record on the way, without lifting it.
  std::uint64_t skip(std::uint64_t n);
  // Back to the first instruction, also after an error.
  void rewind();
  // The instructions, of the chosen thread. Looks at every record.
  std::optional<std::uint64_t> count();

  // The part of the trace's records that is passed, 0 to 1; 1 for a trace without records.
  [[nodiscard]] std::optional<double> progress() const {
    return trace_->size() == 0 ? 1.0
                               : static_cast<double>(at_) / static_cast<double>(trace_->size());
  }
  [[nodiscard]] const std::string& name() const { return trace_->files().folder(); }
  [[nodiscard]] const reader& trace() const { return *trace_; }

  // How many instructions had more operands than a record holds.
  [[nodiscard]] std::uint64_t lost_operands() const { return counts_.clipped; }
  // Of those lifted so far; of a trace read twice once.
  [[nodiscard]] x86::lift_counts counts() const { return counts_; }

 protected:
  // The disassemblers are of 32-bit and of 64-bit code.
  trace_instructions(reader trace, feed_options options, x86::any_disassembler code32,
                     x86::any_disassembler code64);
  trace_instructions(trace_instructions&&) noexcept;
  trace_instructions& operator=(trace_instructions&&) noexcept;
  ~trace_instructions();

 private:
  bool find();
  void take(x86::lifted& l);
  void follow(const record_view& r, const lifted_row& row, x86::lifted& l) const;
  [[nodiscard]] std::optional<std::uint64_t> successor(const record_view& r) const;

  std::unique_ptr<const reader> trace_;  // views point to it, also when the feed moves
  feed_options options_;
  std::unique_ptr<lifter> lifter_;
  std::vector<x86::lifted> batch_;
  std::uint64_t at_ = 0;
  std::exception_ptr failure_ = {};
  x86::lift_counts counts_ = {};
  std::uint64_t counted_to_ = 0;
  std::optional<std::uint64_t> count_ = {};
};
}  // namespace detail

// A trace's instruction records as a feed (feed::stream, and a range): all threads in order with
// the thread as asid, or one. A conditional branch is taken unless its record says that it was not
// executed (flag 0x04), or the next record of the thread is what follows it; every other branch
// always. The target is the next instruction of the same
// thread; where the thread ends or goes on elsewhere (an exception, a gap in the instrumentation),
// outcome() is estimated, and the target the one that the record's values give, 0 if none. Operands
// are those of the trace's own decoding. Errors are the reader's, thrown when all before the bad
// record is delivered.
template <x86::disassembler D> class lifted_feed : public detail::trace_instructions {
 public:
  explicit lifted_feed(reader trace, feed_options options = {})
      : trace_instructions(std::move(trace), std::move(options),
                           x86::any_disassembler(D(wire::target::x86)),
                           x86::any_disassembler(D(wire::target::x64))) {}
  explicit lifted_feed(const std::string& folder, feed_options options = {})
      : lifted_feed(reader(folder), std::move(options)) {}
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/lifted_feed.ipp"
#endif
