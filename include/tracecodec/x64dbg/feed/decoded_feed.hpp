// Feeds of x64dbg traces for simulators, with any disassembler. feed.hpp selects Zydis by default.
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

// View of one instruction. It is valid as long as the batch that contains the instruction.
template <target T> class instruction_view : public x86::executed_view<executed_instruction> {
 public:
  // Creates a view of `l`. `files` points to the register files of the instructions from `front`
  // on. It is nullptr if the feed keeps no register files.
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

  // Returns the block as the trace stores it. Each call decodes it. The block's values are the
  // register words that changed since the previous block, which may belong to another thread. The
  // result is empty if a mapped file was changed such that the block no longer fits in its bytes.
  [[nodiscard]] x64dbg::block<T> block() const noexcept {
    x64dbg::block<T> b;
    if (!block_codec<T>::decode(std::span(record().block, record().block_size), b)) return {};
    return b;
  }
  // Returns the memory words that the trace recorded, with old and new values.
  [[nodiscard]] access_range<T> recorded_accesses() const noexcept {
    return access_range<T>(block());
  }
  // Returns all words of REGDUMP before the instruction. Returns nullptr unless
  // feed_options::registers or feed_options::effects is set. Also returns nullptr if some words are
  // unknown, for example between damage and the next snapshot.
  [[nodiscard]] constexpr const register_file<T>* registers() const noexcept {
    return registers_ == nullptr || record().partial ? nullptr : registers_;
  }
  // Returns all words of REGDUMP after the instruction, that is, before the next instruction of
  // the same thread. Returns nullptr if feed_options::effects is not set, if some words are
  // unknown, or if the thread does not continue within feed_options::reach instructions. The
  // registers after the last instruction of a trace are always unknown.
  [[nodiscard]] const register_file<T>* registers_after() const noexcept {
    return static_cast<const register_file<T>*>(record().after);
  }
  // Returns true if the instruction's block had the thread-id defect.
  [[nodiscard]] constexpr bool mended() const noexcept { return record().mended; }

 private:
  const register_file<T>* registers_;
};

// Batch of consecutive instructions, with a pointer to their register files. The pointer is
// nullptr if the feed does not keep register files.
template <target T> using instruction_batch =
    x86::executed_batch<instruction_view<T>, executed_instruction, const register_file<T>*>;

class snapshot_index;

struct feed_options {
  // Thread whose instructions are read, or nullopt for all threads. 0 also selects instructions
  // whose thread is unknown.
  std::optional<std::uint32_t> thread = {};
  bool repair = false;  // see reader_options::repair
  // True to keep the register file before each instruction, a copy of 1.4 KB (x64) or 0.9 KB (x86).
  bool registers = false;
  // True to also keep the register file after each instruction. Each instruction is then held back
  // until the next instruction of the same thread was read.
  bool effects = false;
  // Maximum number of instructions that are held back until a thread continues.
  std::size_t reach = 65536;
  // Index of this trace, which must outlive the feed. If set, skip() reads only from the nearest
  // snapshot on, unless `thread` is set.
  const snapshot_index* index = nullptr;
  // Callback for each range of bytes that `repair` skips. Called while reading.
  std::function<void(const skipped_bytes&)> skipped = {};
};

namespace detail {
// Implementation of decoded_feed, independent of the disassembler's type.
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

// Feed of a trace (feed::stream). The feed is also a range. It returns the instructions of all
// threads or of a single thread, in trace order, with the thread as asid.
//
// taken() and target() are derived from the next instruction of the same thread. If the thread
// does not continue within feed_options::reach instructions, both are estimated. taken() is then
// derived from the flags and registers, and target() from the code, the registers or a recorded
// memory word. The target is 0 if none of these sources contains it.
//
// Instructions have the registers from which ChampSim derives their class (see x86/operands.hpp),
// and whole memory operands. Throws what the reader throws, after all whole instructions before
// the error were returned. Throws trace_error(refused) if T is not the trace's architecture.
template <target T, x86::disassembler D> class decoded_feed
    : public feed::iterable<decoded_feed<T, D>> {
 public:
  using batch_type = instruction_batch<T>;

  explicit decoded_feed(io::input in, const feed_options& options = {}, D disassembler = D(T))
      : lifting_(std::move(in), options, x86::any_disassembler(std::move(disassembler))) {}
  // Opens the file `path`. "-" is standard input.
  explicit decoded_feed(const std::string& path, const feed_options& options = {},
                        D disassembler = D(T))
      : decoded_feed(io::open_input(path), options, std::move(disassembler)) {}
  // Creates a feed of a trace whose header was already read, for example to find out the
  // architecture. `behind_header` is at the first block.
  decoded_feed(io::window behind_header, trace_header header, const feed_options& options = {},
               D disassembler = D(T))
      : lifting_(std::move(behind_header), std::move(header), options,
                 x86::any_disassembler(std::move(disassembler))) {}

  batch_type next() { return lifting_.next(); }

  // Skips up to `n` instructions. Returns the number of skipped instructions. Their blocks are
  // read, but the code is not decoded. With an index, only the blocks from the nearest snapshot on
  // are read.
  std::uint64_t skip(std::uint64_t n) { return lifting_.skip(n); }

  // Moves back to the first instruction. Throws trace_error(refused) for pipes.
  void rewind() { lifting_.rewind(); }

  // Returns the number of whole instructions, or only of feed_options::thread if it is set. Reads
  // the file a second time, independently of this feed, except that the number of all instructions
  // is taken from an index. Throws trace_error(refused) if a pipe would have to be read.
  std::optional<std::uint64_t> count() { return lifting_.count(); }

  [[nodiscard]] std::optional<double> progress() const { return lifting_.progress(); }
  [[nodiscard]] const std::string& name() const { return lifting_.name(); }
  [[nodiscard]] const trace_header& header() const { return lifting_.header(); }

  // Returns the number of instructions with more operands than a record holds.
  [[nodiscard]] std::uint64_t dropped_operands() const { return counts().clipped; }
  // Returns counts of the instructions decoded so far, including instructions that the feed has
  // decoded but not yet returned. An instruction that is read twice is counted once.
  [[nodiscard]] lift_counts counts() const { return lifting_.counts(); }

 private:
  detail::lifting<T> lifting_;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decoded_feed.ipp"
#endif
