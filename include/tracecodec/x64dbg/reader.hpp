// Reads instructions with the register state before each: in order, from any position, and from
// a file that is still being written.
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
  // Repairs the trace as block_options::repair does. At the start and after a gap, registers are
  // unknown until blocks store them.
  bool repair = false;
  bool growing = false;  // as in block_options
  // Accepts a trace whose first block is not a snapshot, as `repair` does. Otherwise such a
  // trace is an error (bad_value, field registers).
  bool without_snapshot = false;
};

// Reader that delivers every whole instruction, then throws trace_error as block_reader does.
// Also throws bad_value for a position outside REGDUMP (field positions), and if there is no
// snapshot to begin with (field registers).
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
      // Returned by value, for the reason stated in block_reader::next().
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

  // Returns the registers before the instruction delivered last.
  [[nodiscard]] const register_state<T>& state() const { return state_; }

  // Moves to instruction `n`, which next() then delivers. Starts from the nearest snapshot
  // before it, or from the current position if that is nearer. Returns false if the trace has
  // at most `n` instructions; the reader is then at the end.
  //
  // Cost: reads the blocks between two entries of the index. The cost is that of all blocks
  // before `n` in a stream, without an index (nullptr), or if the trace has no snapshots there.
  //
  // User blocks on the way, up to instruction `n`, go to the handler. Throws trace_error for
  // errors on the way, and refused when moving back in a pipe.
  bool seek(std::uint64_t n, const snapshot_index* index = nullptr);

  // Input iterator over the instructions. An instruction is valid until ++. Only one iterator
  // may be in use.
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
  // Reads the next instruction outside of the fast path: before the first snapshot, at user
  // blocks, and near the end of the buffered data. `before` is nullptr at the end of the trace.
  [[gnu::cold, gnu::noinline]] instruction<T> next_closely();

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_start(unsigned registers) const;

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_position();

  register_state<T> state_ = {};
  std::uint64_t gaps_ = 0;  // value of gaps() when the state was last forgotten
  bool without_snapshot_;
};

namespace detail {
template <target T, class F>
auto with_reader_of(io::window behind_header, trace_header header, reader_options options, F&& f) {
  reader<T> r(std::move(behind_header), std::move(header), options);
  return f(r);
}
}  // namespace detail

// Opens a trace of either architecture: reads the header and returns f(reader<T>&), called with
// the matching reader. Throws trace_error as block_reader's constructor does.
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
