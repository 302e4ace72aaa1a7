// Feeds of x64dbg traces for simulators, with any disassembler. feed.hpp selects Zydis as the
// default.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../../feed/executed_batch.hpp"
#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../../io/open.hpp"
#include "../../io/window.hpp"
#include "../../x86/any_disassembler.hpp"
#include "../../x86/executed_instruction.hpp"
#include "../read_header.hpp"
#include "../reader/access.hpp"
#include "../reader/block_pass.hpp"
#include "executed_instruction.hpp"

namespace tracecodec::x64dbg {

using feed::branch_class;
using x86::lift_counts;

// View of one instruction. The view is valid as long as the instruction's batch is valid.
template <target T> class instruction_view : public x86::executed_view<executed_instruction> {
 public:
  // Creates a view of `l`. `files` points to the register files of consecutive instructions,
  // starting with `front`. `files` is nullptr if the feed does not keep register files.
  TRACECODEC_INLINE constexpr instruction_view(const executed_instruction* l, std::uint64_t target,
                                               const register_file<T>* files,
                                               const executed_instruction* front) noexcept
      : executed_view(l, target), registers_(files == nullptr ? nullptr : files + (l - front)) {}

  // Returns the offset in bytes of the instruction's block in the trace.
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return record().offset; }
  // Returns the code bytes.
  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return {record().block + record().code_at, record().length};
  }

  // Returns the block as stored in the trace. The block is decoded again in each call. The values
  // in the block are the register words that changed since the previous block, which may belong to
  // another thread. Returns an empty block if a mapped file was changed and no longer contains the
  // whole block.
  [[nodiscard]] x64dbg::block<T> block() const noexcept {
    x64dbg::block<T> b;
    if (!block_codec<T>::decode(std::span(record().block, record().block_size), b)) return {};
    return b;
  }
  // Returns the memory words in the block, with their old and new values.
  [[nodiscard]] access_range<T> recorded_accesses() const noexcept {
    return access_range<T>(block());
  }
  // Returns all words of REGDUMP before the instruction. Returns nullptr unless
  // feed_options::registers or feed_options::effects is set. Also returns nullptr if some words are
  // unknown, for example between damage and the next snapshot.
  [[nodiscard]] constexpr const register_file<T>* registers() const noexcept {
    return registers_ == nullptr || record().partial ? nullptr : registers_;
  }
  // Returns all words of REGDUMP after the instruction, that is, before the next instruction of the
  // same thread. Returns nullptr if feed_options::effects is not set or if some words are unknown.
  // Also returns nullptr if the thread has no next instruction within feed_options::reach
  // instructions, which is always the case at the end of a trace.
  [[nodiscard]] const register_file<T>* registers_after() const noexcept {
    return static_cast<const register_file<T>*>(record().after);
  }
  // Returns true if the instruction's block had the thread-id defect (reader/defect.hpp).
  [[nodiscard]] constexpr bool mended() const noexcept { return record().mended; }

 private:
  const register_file<T>* registers_;
};

// Batch of consecutive instructions, with a pointer to their register files. The pointer is nullptr
// if the feed does not keep register files.
template <target T> using instruction_batch =
    feed::executed_batch<instruction_view<T>, executed_instruction, const register_file<T>*>;

class snapshot_index;

struct feed_options {
  // Thread id of the instructions to return, or nullopt to return the instructions of all threads.
  // The id 0 also selects instructions with an unknown thread.
  std::optional<std::uint32_t> thread = {};
  bool repair = false;  // see reader_options::repair
  // True to keep the register file before each instruction. A register file takes 1.4 KB (x64) or
  // 0.9 KB (x86).
  bool registers = false;
  // True to also keep the register file after each instruction. The feed then returns an
  // instruction only after it has read the next instruction of the same thread.
  bool effects = false;
  // Maximum number of instructions that the feed holds back while it waits for a thread to
  // continue.
  std::size_t reach = 65536;
  // Index of this trace, which must outlive the feed. With an index, skip() reads only the blocks
  // after the nearest snapshot. The index is not used if `thread` is set.
  const snapshot_index* index = nullptr;
  // Callback for each range of bytes that `repair` skips. The callback is called while the feed
  // reads.
  std::function<void(const skipped_bytes&)> skipped = {};
};

namespace detail {
// Part of decoded_feed that does not depend on the disassembler's type.
template <target T> class lifting {
 public:
  lifting(io::input in, const feed_options& options, x86::any_disassembler disassembler);
  lifting(io::window at_first_block, trace_header header, const feed_options& options,
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

// Feed of a trace (feed::stream). The feed is also a range. Returns the instructions of all threads
// or of one thread, in trace order. The asid of an instruction is the thread id.
//
// taken() and target() are derived from the next instruction of the same thread. If the thread does
// not continue within feed_options::reach instructions, both values are estimated. The estimate of
// taken() uses the flags and registers. The estimate of target() uses the code, the registers or a
// recorded memory word. If none of these sources determines the target, target() returns 0.
//
// Instructions have complete memory operands, and the registers from which ChampSim derives the
// class of a branch (see x86/operands.hpp). If the reader throws an error, the feed first returns
// all whole instructions before the error. Throws trace_error(refused) if T is not the trace's
// architecture.
template <target T, x86::disassembler D> class decoded_feed
    : public feed::iterable<decoded_feed<T, D>> {
 public:
  using batch_type = instruction_batch<T>;

  explicit decoded_feed(io::input in, const feed_options& options = {}, D disassembler = D(T))
      : lifting_(std::move(in), options, x86::any_disassembler(std::move(disassembler))) {}
  // Opens the file `path`. The path "-" stands for standard input.
  explicit decoded_feed(const std::string& path, const feed_options& options = {},
                        D disassembler = D(T))
      : decoded_feed(io::open_input(path), options, std::move(disassembler)) {}
  // Creates a feed of a trace with a header that was already read, for example to determine the
  // architecture. `at_first_block` must be at the first block.
  decoded_feed(io::window at_first_block, trace_header header, const feed_options& options = {},
               D disassembler = D(T))
      : lifting_(std::move(at_first_block), std::move(header), options,
                 x86::any_disassembler(std::move(disassembler))) {}

  batch_type next() { return lifting_.next(); }

  // Skips up to `n` instructions. Returns the number of skipped instructions. Reads the blocks of
  // the skipped instructions without decoding the code. With an index, reads only the blocks after
  // the nearest snapshot.
  std::uint64_t skip(std::uint64_t n) { return lifting_.skip(n); }

  // Moves back to the first instruction. Throws trace_error(refused) for pipes.
  void rewind() { lifting_.rewind(); }

  // Returns the number of whole instructions. If feed_options::thread is set, counts only the
  // instructions of this thread. Reads the file a second time, independently of this feed. If an
  // index is set and all threads are counted, uses the index instead. Throws trace_error(refused)
  // if a pipe would have to be read.
  std::optional<std::uint64_t> count() { return lifting_.count(); }

  [[nodiscard]] std::optional<double> progress() const { return lifting_.progress(); }
  [[nodiscard]] const std::string& name() const { return lifting_.name(); }
  [[nodiscard]] const trace_header& header() const { return lifting_.header(); }

  // Returns the number of decoded instructions with more operands than a record can store.
  [[nodiscard]] std::uint64_t dropped_operands() const { return counts().clipped; }
  // Returns counts of the instructions decoded so far. The counts include instructions that the
  // feed has decoded but not yet returned. An instruction that is read twice is counted once.
  [[nodiscard]] lift_counts counts() const { return lifting_.counts(); }

 private:
  detail::lifting<T> lifting_;
};

// Returns the mode of the code (feed/values.hpp).
template <target T>
constexpr std::optional<target> code_mode(std::type_identity<instruction_view<T>>) noexcept {
  return T;
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decoded_feed.ipp"
#endif
