// Reads instructions with the register state before each instruction. Reads in order, from any
// position, or from a file that is still being written.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "read_header.hpp"
#include "reader/blocks.hpp"
#include "reader/index.hpp"
#include "reader/instruction.hpp"

namespace tracecodec::x64dbg {

struct reader_options {
  // True to read a damaged trace with block_options::repair. At the start and after a gap,
  // registers are unknown until blocks store them.
  bool repair = false;
  bool growing = false;  // see block_options::growing
  // True to accept a trace whose first block is not a snapshot. `repair` also accepts it. Otherwise
  // such a trace is an error (bad_value, field registers).
  bool without_snapshot = false;
};

// Reader that returns all whole instructions before an error, then throws what block_reader throws.
// Also throws bad_value if a position is outside REGDUMP (field positions), or if the first block
// is not a snapshot (field registers).
template <target T> class reader : public block_reader<T> {
  using base = block_reader<T>;

 public:
  explicit reader(io::input in, reader_options options = {});
  reader(io::window behind_header, trace_header header, reader_options options = {});

  // Reads the next instruction into `i`. Returns false at the end.
  TRACECODEC_INLINE bool next(instruction<T>& i) {
    const auto use = [&]() __attribute__((always_inline)) {
      if (!state_.apply_to_complete(i.block)) [[unlikely]]
        refuse_position();
      i.index = this->index();
      i.offset = this->position().offset;
    };
    if (!this->next_at_hand(i.block, use)) [[unlikely]] {
      // next_closely() returns by value, for the reason in block_reader::next().
      const instruction<T> next = next_closely();
      if (next.before == nullptr) {
        i.block = {};
        return false;
      }
      i = next;
    }
    i.thread = this->thread();
    i.before = &state_;
    return true;
  }

  // Returns the registers before the instruction that next() returned last.
  [[nodiscard]] const register_state<T>& state() const { return state_; }

  // Moves to instruction `n`, which next() then returns. Starts from the nearest snapshot before
  // `n`, or from the current position if it is nearer. Returns false if the trace has at most `n`
  // instructions. The reader is then at the end.
  //
  // Reads the blocks between two entries of the index. Reads all blocks before `n` if the trace is
  // a stream, if `index` is nullptr, or if the trace has no snapshots before `n`.
  //
  // Passes user blocks on the way, up to instruction `n`, to the handler. Throws trace_error for
  // errors on the way, and trace_error(refused) if it would have to move back in a pipe.
  bool seek(std::uint64_t n, const snapshot_index* index = nullptr);

  // Input iterator over the instructions. An instruction is valid until the next ++. Only one
  // iterator may be in use.
  class iterator {
   public:
    using value_type = instruction<T>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    TRACECODEC_INLINE explicit iterator(reader& from) : from_(&from) { ++*this; }
    TRACECODEC_INLINE const instruction<T>& operator*() const { return current_; }
    TRACECODEC_INLINE const instruction<T>* operator->() const { return &current_; }
    TRACECODEC_INLINE iterator& operator++() {
      at_end_ = !from_->next(current_);
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.at_end_; }

   private:
    reader* from_;
    instruction<T> current_ = {};
    bool at_end_ = false;
  };
  TRACECODEC_INLINE iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() { return {}; }

 private:
  // Reads the next instruction outside the fast path: before the first snapshot, at user blocks,
  // and near the end of the buffered data. At the end of the trace, `before` of the result is
  // nullptr.
  [[gnu::cold, gnu::noinline]] instruction<T> next_closely();

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_start(unsigned registers) const;

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_position();

  register_state<T> state_ = {};
  std::uint64_t gaps_ = 0;  // value of gaps() when next_closely() last reset the state after a gap
  bool without_snapshot_;
};

namespace detail {
template <target T, class F>
auto with_reader_of(io::window behind_header, trace_header header, reader_options options, F&& f) {
  reader<T> r(std::move(behind_header), std::move(header), options);
  return f(r);
}
}  // namespace detail

// Opens a trace of either architecture. Reads the header, calls f(reader<T>&) with the matching
// reader, and returns its result. Throws what block_reader's constructor and f() throw.
template <class F> auto with_reader(io::input in, reader_options options, F&& f) {
  io::window window(std::move(in));
  trace_header header = read_header(window);
  if (header.arch == target::x86)
    return detail::with_reader_of<target::x86>(std::move(window), std::move(header), options, f);
  return detail::with_reader_of<target::x64>(std::move(window), std::move(header), options, f);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
