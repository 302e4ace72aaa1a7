// Implementation of reader.hpp, except the fast path.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../reader.hpp"
#include "../reader/defect.hpp"

namespace tracecodec::x64dbg {

template <target T> reader<T>::reader(io::input in, reader_options options)
    : base(std::move(in), block_options{options.repair, options.growing}),
      without_snapshot_(options.without_snapshot || options.repair) {}
template <target T>
reader<T>::reader(io::window at_first_block, trace_header header, reader_options options)
    : base(std::move(at_first_block), std::move(header),
           block_options{options.repair, options.growing}),
      without_snapshot_(options.without_snapshot || options.repair) {}

template <target T> bool reader<T>::seek(std::uint64_t n, const snapshot_index* index) {
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

template <target T> instruction<T> reader<T>::next_closely() {
  instruction<T> i;
  const std::size_t n = this->peek(i.block);
  if (n == 0) return i;
  if (gaps_ != this->gaps()) {
    gaps_ = this->gaps();
    const auto ip = state_.cip();
    state_.forget();
    // The block of a repeated instruction does not store the instruction pointer again, so preserve
    // the pointer.
    if (!i.block.snapshot()) state_.set(register_state<T>::cip_word, ip);
    this->set_prepared(false);
  }
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

template <target T> void reader<T>::refuse_start(unsigned registers) const {
  this->fail(
      trace_errc::bad_value, block_codec<T>::template offset_of<&block<T>::registers>, "registers",
      "the trace does not begin with a snapshot: the block has " + std::to_string(registers) +
          " register words, not all " + std::to_string(register_words<T>));
}

template <target T> void reader<T>::refuse_position() {
  // Decode the block again. If it were a parameter, callers would have to keep the block in memory.
  block<T> b;
  this->peek(b);
  this->fail(trace_errc::bad_value, bad_position<T>(b), "positions",
             "a position lies outside REGDUMP; repair skips such blocks");
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class reader<target::x86>;
template class reader<target::x64>;
#endif

}  // namespace tracecodec::x64dbg
