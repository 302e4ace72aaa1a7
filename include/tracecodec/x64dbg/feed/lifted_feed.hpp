// x64dbg traces as simulator instructions, with any disassembler; feed.hpp has the usual one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../../x86/lifted_batch.hpp"
#include "../reader.hpp"
#include "look_ahead.hpp"

namespace tracecodec::x64dbg {

using feed::branch_class;
using x86::lift_counts;

// One instruction. Valid as long as its batch.
template <target T> class instruction_view : public x86::lifted_view<lifted> {
 public:
  using register_file = typename look_ahead<T>::register_file;
  // `files` are those of the instructions from `front` on, or nullptr.
  TRACECODEC_INLINE constexpr instruction_view(const lifted* l, std::uint64_t target,
                                               const register_file* files,
                                               const lifted* front) noexcept
      : lifted_view(l, target), registers_(files == nullptr ? nullptr : files + (l - front)) {}

  // The offset of its block in bytes.
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return record().offset; }
  // The code bytes.
  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return {record().block + record().code_at, record().length};
  }

  // The block as the trace has it; decoded on each call. Its values are the register words that
  // changed since the block before, which may be another thread's.
  [[nodiscard]] x64dbg::block<T> block() const noexcept {
    x64dbg::block<T> b;
    block_codec<T>::decode(std::span(record().block, record().block_size), b);
    return b;
  }
  // The memory words as recorded, with old and new values.
  [[nodiscard]] access_range<T> recorded_accesses() const noexcept {
    return access_range<T>(block());
  }
  // All words of REGDUMP before the instruction; nullptr unless feed_options::registers is set.
  [[nodiscard]] constexpr const register_file* registers() const noexcept { return registers_; }

 private:
  const register_file* registers_;
};

// Consecutive instructions, beside them their register files or nullptr.
template <target T> using instruction_batch =
    x86::lifted_batch<instruction_view<T>, lifted, const typename look_ahead<T>::register_file*>;

struct feed_options {
  std::optional<std::uint32_t> thread = {};  // only its instructions; 0: those of unknown thread
  bool repair = false;                       // as reader_options
  // Keeps the register file before each instruction: a copy of 1.4 (x64) or 0.9 KB.
  bool registers = false;
  // Instructions that are held back at most, for a branch whose thread has not gone on.
  std::size_t reach = 65536;
  // Of this trace, must outlive the feed; without `thread`, skip() then need not read everything.
  const snapshot_index* index = nullptr;
};

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

  explicit lifted_feed(io::input in, feed_options options = {}, D disassembler = D(T))
      : lifted_feed(reader<T>(std::move(in), of(options)), options, std::move(disassembler)) {}
  // "-" is standard input.
  explicit lifted_feed(const std::string& path, feed_options options = {}, D disassembler = D(T))
      : lifted_feed(io::open_input(path), options, std::move(disassembler)) {}
  // Behind a header that was read already, to see which T it needs.
  lifted_feed(io::window behind_header, trace_header header, feed_options options = {},
              D disassembler = D(T))
      : lifted_feed(reader<T>(std::move(behind_header), std::move(header), of(options)), options,
                    std::move(disassembler)) {}

  batch_type next() {
    drop_delivered();
    for (;;) {
      const std::span<const lifted> all = held_.ready();
      if (!all.empty()) {
        delivered_ = all.size();
        return {all, held_.files(), held_.ends_with(all.size()), threads_.size() == 1};
      }
      if (ended_) {
        if (failure_) std::rethrow_exception(failure_);
        return {};
      }
      read();
    }
  }

  // Their blocks are read, nothing more; with an index those from a snapshot on.
  std::uint64_t skip(std::uint64_t n) {
    drop_delivered();
    std::uint64_t done = std::min(n, held_.held());
    held_.drop(done);
    if (done == n || ended_) return done;
    const std::uint64_t from = reader_.index();
    until_end([&] {
      if (!options_.thread) {
        reader_.seek(from + std::min(n - done, ~from), options_.index);
        return;
      }
      instruction<T> i;
      while (done != n && reader_.next(i)) done += i.thread.value_or(0) == options_.thread;
    });
    return options_.thread ? done : done + reader_.index() - from;
  }

  // Back to the first instruction. Throws trace_error(refused) for pipes.
  void rewind() {
    reader_.seek(0);
    held_.clear();
    threads_.clear();
    thread_ = nullptr;
    delivered_ = 0;
    ended_ = false;
    failure_ = nullptr;
  }

  // The whole instructions, of the chosen thread. Reads the file once more, beside this feed, but
  // for an index that knows. Throws trace_error(refused) for pipes.
  std::optional<std::uint64_t> count() {
    if (options_.index != nullptr && !options_.thread) return options_.index->instructions();
    if (count_) return count_;
    const io::input& in = reader_.window().from();
    if (!in.rewindable())
      throw trace_error(trace_errc::refused, {.file = name()}, "cannot be read a second time");
    block_reader<T> again(in.mapped()
                              ? io::open_bytes(in.bytes(), name(), {.compression = io::codec::none})
                              : io::open_input(name(), in.options()),
                          block_options{options_.repair});
    std::uint64_t n = 0;
    try {
      block<T> b;
      while (again.next(b)) n += !options_.thread || again.thread().value_or(0) == options_.thread;
    } catch (const trace_error&) {
      // Whoever reads that far is told.
    }
    return count_ = n;
  }

  [[nodiscard]] std::optional<double> progress() const { return reader_.window().progress(); }
  [[nodiscard]] const std::string& name() const { return reader_.name(); }
  [[nodiscard]] const trace_header& header() const { return reader_.header(); }

  // How many instructions had more operands than a record holds.
  [[nodiscard]] std::uint64_t lost_operands() const { return counts_.clipped; }
  // Of those lifted so far; of a trace read twice once. A feed is ahead of what it has delivered.
  [[nodiscard]] lift_counts counts() const {
    lift_counts c = counts_;
    c.estimated = held_.estimated();
    return c;
  }

 private:
  struct thread_state {
    std::uint64_t branch = 0;  // number of the last instruction, if that is one
    segment_bases bases = {};
  };
  static constexpr std::size_t chunk = 1024;  // instructions

  static reader_options of(const feed_options& o) { return {.repair = o.repair}; }
  lifted_feed(reader<T> from, const feed_options& options, D disassembler)
      : reader_(std::move(from)),
        options_(options),
        lifter_(std::move(disassembler)),
        held_(options.reach, options.registers),
        mapped_(reader_.window().from().mapped()) {}

  void drop_delivered() { held_.drop(std::exchange(delivered_, 0)); }

  // Runs f, and notes the error that ends the trace.
  template <class F> void until_end(F&& f) {
    try {
      f();
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      ended_ = true;
    }
  }

  // Takes in some more instructions.
  void read() {
    const std::size_t n = held_.room(chunk);
    if (n == 0) return held_.make_room();
    until_end([&] { ended_ = !read(n); });
    if (ended_) held_.finish();
  }
  bool read(std::size_t n) {
    instruction<T> i;
    while (n != 0) {
      if (!reader_.next(i)) return false;
      if (options_.thread && i.thread.value_or(0) != options_.thread) continue;
      take(i);
      --n;
    }
    return true;
  }
  TRACECODEC_INLINE void take(const instruction<T>& i) {
    const std::uint32_t id = i.thread.value_or(0);
    if (thread_ == nullptr || id != thread_id_) [[unlikely]] {
      thread_ = &threads_[id];
      thread_id_ = id;
    }
    if (thread_->branch != 0) held_.follow(std::exchange(thread_->branch, 0), i.ip());
    lifted& l = held_.next();
    const x86::instruction& what = lifter_(i, thread_->bases, l);
    if (l.outcome == outcome::awaited) thread_->branch = held_.next_number();
    if (l.index >= counted_to_) add_to_counts(l);
    held_.push(i, what, mapped_ && !reader_.was_mended());
  }

  void add_to_counts(const lifted& l) {
    counted_to_ = l.index + 1;
    counts_.add(l);
  }

  reader<T> reader_;
  feed_options options_;
  lifter<T, D> lifter_;
  look_ahead<T> held_;
  bool mapped_;
  // Ordered: a hostile trace may give ids that all have one place in a hash table.
  std::map<std::uint32_t, thread_state> threads_ = {};
  thread_state* thread_ = nullptr;  // of thread_id_; map nodes stay where they are
  std::uint32_t thread_id_ = 0;
  std::size_t delivered_ = 0;  // the batch that is still in use
  bool ended_ = false;
  std::exception_ptr failure_ = {};
  lift_counts counts_ = {};
  std::uint64_t counted_to_ = 0;
  std::optional<std::uint64_t> count_ = {};
};

}  // namespace tracecodec::x64dbg
