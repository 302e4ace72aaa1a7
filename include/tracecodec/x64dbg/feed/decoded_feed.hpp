// Feeds of x64dbg traces for simulators, with any disassembler. feed.hpp provides the usual one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../../io/open.hpp"
#include "../../io/window.hpp"
#include "../../x86/any_disassembler.hpp"
#include "../../x86/executed_batch.hpp"
#include "../read_header.hpp"
#include "../reader/access.hpp"
#include "../reader/block_pass.hpp"
#include "executed_instruction.hpp"

namespace tracecodec::x64dbg {

using feed::branch_class;
using x86::lift_counts;

// View of one instruction, valid as long as its batch.
template <target T> class instruction_view : public x86::executed_view<executed_instruction> {
 public:
  // Creates a view. `files` are the register files of the instructions from `front` on, or nullptr.
  TRACECODEC_INLINE constexpr instruction_view(const executed_instruction* l, std::uint64_t target,
                                               const register_file<T>* files,
                                               const executed_instruction* front) noexcept
      : executed_view(l, target), registers_(files == nullptr ? nullptr : files + (l - front)) {}

  // Returns the offset of the instruction's block in bytes.
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return record().offset; }
  // Returns the code bytes.
  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return {record().block + record().code_at, record().length};
  }

  // Returns the block as the trace stores it, decoded on each call. Its values are the register
  // words that changed since the previous block, which may belong to another thread. The result
  // is empty if a mapped file has changed and the block no longer fits in its bytes.
  [[nodiscard]] x64dbg::block<T> block() const noexcept {
    x64dbg::block<T> b;
    if (!block_codec<T>::decode(std::span(record().block, record().block_size), b)) return {};
    return b;
  }
  // Returns the memory words as recorded, with old and new values.
  [[nodiscard]] access_range<T> recorded_accesses() const noexcept {
    return access_range<T>(block());
  }
  // Returns all words of REGDUMP before the instruction. Returns nullptr unless
  // feed_options::registers or effects is set. Also returns nullptr where some words are
  // unknown, as between damage and the next snapshot.
  [[nodiscard]] constexpr const register_file<T>* registers() const noexcept {
    return registers_ == nullptr || record().partial ? nullptr : registers_;
  }
  // Returns all words of REGDUMP after the instruction, that is, before its thread's next one.
  // Returns nullptr unless feed_options::effects is set, and if the thread does not continue
  // within reach. The file does not contain what the trace's last instruction did.
  [[nodiscard]] const register_file<T>* registers_after() const noexcept {
    return static_cast<const register_file<T>*>(record().after);
  }
  // Returns true if the instruction's block had the thread-id defect.
  [[nodiscard]] constexpr bool mended() const noexcept { return record().mended; }

 private:
  const register_file<T>* registers_;
};

// Batch of consecutive instructions with their register files, or nullptr.
template <target T> using instruction_batch =
    x86::executed_batch<instruction_view<T>, executed_instruction, const register_file<T>*>;

class snapshot_index;

struct feed_options {
  std::optional<std::uint32_t> thread = {};  // only this thread's instructions; 0: unknown thread
  bool repair = false;                       // as in reader_options
  // Keeps the register file before each instruction, a copy of 1.4 KB (x64) or 0.9 KB (x86).
  bool registers = false;
  bool effects =
      false;  // also keeps it after each instruction, delayed until its thread's next one is read
  // Maximum number of instructions held back for a branch whose thread has not continued.
  std::size_t reach = 65536;
  // Index of this trace, which must outlive the feed. With it, skip() need not read everything,
  // unless `thread` is set.
  const snapshot_index* index = nullptr;
  // Callback for each place that `repair` skips, called while reading.
  std::function<void(const skipped_bytes&)> skipped = {};
};

namespace detail {
// Implementation of a feed, independent of the disassembler's type.
template <target T> class lifting {
 public:
  lifting(io::input in, const feed_options& options, x86::any_disassembler disassembler);
  lifting(io::window behind_header, trace_header header, const feed_options& options,
          x86::any_disassembler disassembler);
  lifting(lifting&&) noexcept;
  lifting& operator=(lifting&&) noexcept;
  ~lifting();

  instruction_batch<T> next();
  std::uint64_t skip(std::uint64_t n);
  void rewind();
  std::optional<std::uint64_t> count();
  [[nodiscard]] std::optional<double> progress() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const trace_header& header() const;
  [[nodiscard]] lift_counts counts() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};
}  // namespace detail

// Feed of a trace (feed::stream, and a range). It delivers all threads in trace order with the
// thread as asid, or a single thread. Taken and target follow from the thread's next
// instruction, which takes precedence over the flags. If a branch's thread does not continue,
// or not within reach, both are estimated. Conditions come from the flags, targets from the
// code, the registers or the recorded memory word. The target is 0 if none of these determines
// it.
//
// Instructions list the registers from which ChampSim derives their class (see x86/operands.hpp),
// and whole memory operands. Errors are those of the reader, thrown after every whole instruction
// was delivered. Throws trace_error(refused) if T is not the trace's architecture.
template <target T, x86::disassembler D> class decoded_feed
    : public feed::iterable<decoded_feed<T, D>> {
 public:
  using batch_type = instruction_batch<T>;

  explicit decoded_feed(io::input in, const feed_options& options = {}, D disassembler = D(T))
      : lifting_(std::move(in), options, x86::any_disassembler(std::move(disassembler))) {}
  // Opens `path`; "-" is standard input.
  explicit decoded_feed(const std::string& path, const feed_options& options = {},
                        D disassembler = D(T))
      : decoded_feed(io::open_input(path), options, std::move(disassembler)) {}
  // Continues after a header that was read already, to find out which T is needed.
  decoded_feed(io::window behind_header, trace_header header, const feed_options& options = {},
               D disassembler = D(T))
      : lifting_(std::move(behind_header), std::move(header), options,
                 x86::any_disassembler(std::move(disassembler))) {}

  batch_type next() { return lifting_.next(); }

  // Skips up to `n` instructions and returns how many. Their blocks are read, but not decoded
  // further. With an index, only the blocks from the nearest snapshot on are read.
  std::uint64_t skip(std::uint64_t n) { return lifting_.skip(n); }

  // Moves back to the first instruction. Throws trace_error(refused) for pipes.
  void rewind() { lifting_.rewind(); }

  // Returns the number of whole instructions, of the selected thread if there is one. Reads the
  // file a second time, independently of this feed, unless an index has the number. Throws
  // trace_error(refused) for pipes.
  std::optional<std::uint64_t> count() { return lifting_.count(); }

  [[nodiscard]] std::optional<double> progress() const { return lifting_.progress(); }
  [[nodiscard]] const std::string& name() const { return lifting_.name(); }
  [[nodiscard]] const trace_header& header() const { return lifting_.header(); }

  // Returns how many instructions had more operands than a record holds.
  [[nodiscard]] std::uint64_t dropped_operands() const { return counts().clipped; }
  // Returns counts of the instructions decoded so far. An instruction that is read twice counts
  // once. A feed decodes ahead of what it has delivered.
  [[nodiscard]] lift_counts counts() const { return lifting_.counts(); }

 private:
  detail::lifting<T> lifting_;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decoded_feed.ipp"
#endif
