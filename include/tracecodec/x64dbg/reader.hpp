// Reads instructions with the register state before them: in order, from any position, and from a
// file that is still being written.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "reader/blocks.hpp"
#include "reader/index.hpp"
#include "reader/instruction.hpp"

namespace tracecodec::x64dbg {

struct reader_options {
  bool repair = false;   // as block_options
  bool growing = false;  // as block_options
  // Takes a trace whose first block is no snapshot; registers are unknown until they are given.
  // Otherwise that is an error (bad_value, field registers).
  bool without_snapshot = false;
};

// Delivers every whole instruction, then throws trace_error as block_reader does, and bad_value
// (field positions: outside REGDUMP; field registers: no snapshot to begin with).
template <target T> class reader : public block_reader<T> {
  using base = block_reader<T>;

 public:
  explicit reader(io::input in, reader_options options = {})
      : base(std::move(in), block_options{options.repair, options.growing}),
        without_snapshot_(options.without_snapshot) {}
  reader(io::window behind_header, trace_header header, reader_options options = {})
      : base(std::move(behind_header), std::move(header),
             block_options{options.repair, options.growing}),
        without_snapshot_(options.without_snapshot) {}

  // The next instruction into `i`; false at the end.
  TRACECODEC_INLINE bool next(instruction<T>& i) {
    const auto use = [&]() __attribute__((always_inline)) {
      if (!state_.apply_to_complete(i.block)) [[unlikely]]
        refuse_position();
      i.index = this->index();
      i.offset = this->position().offset;
    };
    if (!this->next_at_hand(i.block, use)) [[unlikely]] {
      // By value, as in block_reader::next().
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

  // The registers before the instruction that was delivered last.
  [[nodiscard]] const register_state<T>& state() const { return state_; }

  // Goes to instruction `n`, which next() then delivers: from the nearest snapshot before it, or
  // onwards from here if that is nearer. Returns false if the trace has no more than `n`; the
  // reader is then at the end. Cost: the blocks between two entries of the index; without an index
  // (nullptr), of a stream, or if the trace has no snapshots there: all before `n`. User blocks on
  // the way, up to instruction `n`, go to the handler. Throws trace_error for what is met on the
  // way; refused for going back in a pipe.
  bool seek(std::uint64_t n, const snapshot_index* index = nullptr) {
    const snapshot* s = index != nullptr ? index->before(n) : nullptr;
    const std::uint64_t here = this->index();
    if (n < here || (s != nullptr && s->instruction > here)) {
      state_.forget();
      this->set_prepared(false);
      if (s != nullptr)
        base::seek({s->offset, s->instruction}, s->thread);
      else
        base::seek(this->first());
    }
    instruction<T> i;
    while (this->index() < n)
      if (!next(i)) return false;
    return this->pass_user_blocks();
  }

  // The instructions as an input range; each is valid until ++. Only one iterator at a time.
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
  // Where the fast path does not go: up to the first snapshot, at user blocks, near the end of what
  // is at hand. `before` is nullptr at the end of the trace.
  [[gnu::cold, gnu::noinline]] instruction<T> next_closely() {
    instruction<T> i;
    const std::size_t n = this->peek(i.block);
    if (n == 0) return i;
    if (!state_.complete() && !i.block.snapshot() && !without_snapshot_)
      refuse_start(i.block.registers);
    if (!state_.apply(i.block)) refuse_position();
    this->set_prepared(state_.complete());
    i.index = this->index();
    i.offset = this->position().offset;
    this->accept(i.block, n);
    i.before = &state_;
    return i;
  }

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_start(unsigned registers) const {
    this->fail(trace_errc::bad_value, block_codec<T>::template offset_of<&block<T>::registers>,
               "registers",
               "no snapshot to begin with: the block gives " + std::to_string(registers) +
                   " register words, not all " + std::to_string(register_words<T>));
  }

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_position() {
    block<T> b;  // once more: a reference would make the caller keep its block in memory
    this->peek(b);
    std::size_t at =
        block_codec<T>::front_size + (b.has_thread ? sizeof b.thread : 0) + b.opcode_size;
    register_state<T>::walk(b, [&at](std::size_t, auto) { ++at; });
    std::string why = "a position lies outside REGDUMP";
    if (!this->options().repair) why += "; repair reads on if it is the thread-id defect";
    this->fail(trace_errc::bad_value, at, "positions", why);
  }

  register_state<T> state_ = {};
  bool without_snapshot_;
};

// Opens a trace of either architecture: reads the header and calls f(reader<T>&) with the reader
// that fits it. Throws trace_error as block_reader's constructor does.
template <class F> auto with_reader(io::input in, reader_options options, F&& f) {
  io::window window(std::move(in));
  trace_header header = read_header(window);
  if (header.arch == target::x86) {
    reader<target::x86> r(std::move(window), std::move(header), options);
    return f(r);
  }
  reader<target::x64> r(std::move(window), std::move(header), options);
  return f(r);
}

}  // namespace tracecodec::x64dbg
