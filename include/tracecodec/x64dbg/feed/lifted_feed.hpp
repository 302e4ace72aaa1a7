// x64dbg traces as simulator instructions, with any disassembler; feed.hpp has the usual one.
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
#include "../../x86/lifted_batch.hpp"
#include "../read_header.hpp"
#include "../reader/access.hpp"
#include "../reader/block_pass.hpp"
#include "lifted.hpp"

namespace tracecodec::x64dbg {

using feed::branch_class;
using x86::lift_counts;

// One instruction. Valid as long as its batch.
template <target T> class instruction_view : public x86::lifted_view<lifted> {
 public:
  // `files` are those of the instructions from `front` on, or nullptr.
  TRACECODEC_INLINE constexpr instruction_view(const lifted* l, std::uint64_t target,
                                               const register_file<T>* files,
                                               const lifted* front) noexcept
      : lifted_view(l, target), registers_(files == nullptr ? nullptr : files + (l - front)) {}

  // The offset of its block in bytes.
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return record().offset; }
  // The code bytes.
  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return {record().block + record().code_at, record().length};
  }

  // The block as the trace has it; decoded on each call. Its values are the register words that
  // changed since the block before, which may be another thread's. Empty if a mapped file was
  // changed since, and the block no longer fits in its bytes.
  [[nodiscard]] x64dbg::block<T> block() const noexcept {
    x64dbg::block<T> b;
    if (!block_codec<T>::decode(std::span(record().block, record().block_size), b)) return {};
    return b;
  }
  // The memory words as recorded, with old and new values.
  [[nodiscard]] access_range<T> recorded_accesses() const noexcept {
    return access_range<T>(block());
  }
  // All words of REGDUMP before the instruction; nullptr unless feed_options::registers is set, and where the trace
  // does not give all, as after damage up to the next snapshot.
  [[nodiscard]] constexpr const register_file<T>* registers() const noexcept {
    return registers_ == nullptr || record().partial ? nullptr : registers_;
  }
  // The same after it, which is before its thread's next instruction; nullptr unless feed_options::effects is set, and
  // where its thread does not go on within reach. What the trace's last instruction did is not in the file.
  [[nodiscard]] const register_file<T>* registers_after() const noexcept {
    return static_cast<const register_file<T>*>(record().after);
  }
  // Whether its block had the thread-id defect.
  [[nodiscard]] constexpr bool mended() const noexcept { return record().mended; }

 private:
  const register_file<T>* registers_;
};

// Consecutive instructions, beside them their register files or nullptr.
template <target T> using instruction_batch =
    x86::lifted_batch<instruction_view<T>, lifted, const register_file<T>*>;

class snapshot_index;

struct feed_options {
  std::optional<std::uint32_t> thread = {};  // only its instructions; 0: those of unknown thread
  bool repair = false;                       // as reader_options
  // Keeps the register file before each instruction: a copy of 1.4 (x64) or 0.9 KB.
  bool registers = false;
  bool effects =
      false;  // keeps them after it, too: as `registers`, and waits for what its thread does next
  // Instructions that are held back at most, for a branch whose thread has not gone on.
  std::size_t reach = 65536;
  // Of this trace, must outlive the feed; without `thread`, skip() then need not read everything.
  const snapshot_index* index = nullptr;
  // With `repair`: called with what is passed over, as it is read.
  std::function<void(const skipped_bytes&)> skipped = {};
};

namespace detail {
// What a feed does, whatever its disassembler.
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

// A trace as a feed (feed::stream, and a range): all threads in order with the thread as asid, or
// one. Taken and target are those of the thread's next instruction: the path outranks the flags.
// A branch whose thread does not go on (its last instruction) or not within reach is estimated:
// conditions by the flags, targets from the code, the registers or the memory word recorded; 0 if
// none of these knows. Instructions have the registers that make ChampSim derive their class (see
// x86/operands.hpp), and whole memory operands.
// Errors are the reader's, thrown when every whole instruction is delivered; refused: T is not the
// trace's architecture.
template <target T, x86::disassembler D> class lifted_feed
    : public feed::iterable<lifted_feed<T, D>> {
 public:
  using batch_type = instruction_batch<T>;

  explicit lifted_feed(io::input in, const feed_options& options = {}, D disassembler = D(T))
      : lifting_(std::move(in), options, x86::any_disassembler(std::move(disassembler))) {}
  // "-" is standard input.
  explicit lifted_feed(const std::string& path, const feed_options& options = {},
                       D disassembler = D(T))
      : lifted_feed(io::open_input(path), options, std::move(disassembler)) {}
  // Behind a header that was read already, to see which T it needs.
  lifted_feed(io::window behind_header, trace_header header, const feed_options& options = {},
              D disassembler = D(T))
      : lifting_(std::move(behind_header), std::move(header), options,
                 x86::any_disassembler(std::move(disassembler))) {}

  batch_type next() { return lifting_.next(); }

  // Their blocks are read, nothing more; with an index those from a snapshot on.
  std::uint64_t skip(std::uint64_t n) { return lifting_.skip(n); }

  // Back to the first instruction. Throws trace_error(refused) for pipes.
  void rewind() { lifting_.rewind(); }

  // The whole instructions, of the chosen thread. Reads the file once more, beside this feed, but
  // for an index that knows. Throws trace_error(refused) for pipes.
  std::optional<std::uint64_t> count() { return lifting_.count(); }

  [[nodiscard]] std::optional<double> progress() const { return lifting_.progress(); }
  [[nodiscard]] const std::string& name() const { return lifting_.name(); }
  [[nodiscard]] const trace_header& header() const { return lifting_.header(); }

  // How many instructions had more operands than a record holds.
  [[nodiscard]] std::uint64_t lost_operands() const { return counts().clipped; }
  // Of those lifted so far; of a trace read twice once. A feed is ahead of what it has delivered.
  [[nodiscard]] lift_counts counts() const { return lifting_.counts(); }

 private:
  detail::lifting<T> lifting_;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lifted_feed.ipp"
#endif
