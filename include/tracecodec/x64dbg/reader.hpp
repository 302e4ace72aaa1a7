// Reads instructions with the register state before each instruction. A reader can read in order,
// from any position, or from a file that is still being written.
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
  // True to read a damaged trace with block_options::repair. Registers are then unknown at the
  // start and after a gap, until a block stores their values.
  bool repair = false;
  bool growing = false;  // see block_options::growing
  // True to accept a trace that does not begin with a snapshot. If neither `without_snapshot` nor
  // `repair` is set, such a trace causes an error (bad_value, field registers).
  bool without_snapshot = false;
};

// Reader that returns all whole instructions before an error, and then throws the errors of
// block_reader. Also throws bad_value if a position is outside REGDUMP (field positions), or if the
// first block is not a snapshot (field registers).
template <target T> class reader : public block_reader<T> {
  using base = block_reader<T>;

 public:
  explicit reader(io::input in, reader_options options = {});
  reader(io::window at_first_block, trace_header header, reader_options options = {});

  // Reads the next instruction into `i`. Returns false at the end.
  TRACECODEC_INLINE bool next(instruction<T>& i) {
    const auto use = [&]() __attribute__((always_inline)) {
      if (!state_.apply_to_complete(i.block)) [[unlikely]]
        refuse_position();
      i.index = this->index();
      i.offset = this->position().offset;
    };
    if (!this->next_buffered(i.block, use)) [[unlikely]] {
      // next_closely() returns by value so that the compiler can keep `i` in registers (see
      // block_reader::next()).
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

  // Returns the registers before the instruction that next() returned most recently.
  [[nodiscard]] const register_state<T>& state() const { return state_; }

  // Moves to instruction `n`, which next() then returns. Starts at the nearest snapshot before `n`,
  // or at the current position if it is nearer. If the trace has at most `n` instructions, moves to
  // the end and returns false.
  //
  // With an index, reads only the blocks between two entries of the index. Reads all blocks before
  // `n` if the trace is a stream, if `index` is nullptr, or if the trace has no snapshots before
  // `n`.
  //
  // User blocks that are read before instruction `n` are passed to the handler. Throws trace_error
  // for errors before instruction `n`. Throws trace_error(refused) if the trace is a pipe and the
  // reader would have to move back.
  bool seek(std::uint64_t n, const snapshot_index* index = nullptr);

  // Input iterator over the instructions. An instruction is valid until the iterator is
  // incremented. Only one iterator may be in use.
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
  // Reads the next instruction if the fast path cannot be used: before the first snapshot, at user
  // blocks, and near the end of the buffered data. At the end of the trace, returns an instruction
  // in which `before` is nullptr.
  [[gnu::cold, gnu::noinline]] instruction<T> next_closely();

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_start(unsigned registers) const;

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_position();

  register_state<T> state_ = {};
  std::uint64_t gaps_ = 0;  // value of gaps() when next_closely() last reset the state
  bool without_snapshot_;
};

namespace detail {
template <target T, class F>
auto with_reader_of(io::window at_first_block, trace_header header, reader_options options, F&& f) {
  reader<T> r(std::move(at_first_block), std::move(header), options);
  return f(r);
}
}  // namespace detail

// Opens a trace of either architecture. Reads the header, calls f(reader<T>&) with a reader for the
// header's architecture, and returns the result. Throws the errors of block_reader's constructor
// and of f().
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
