// Lookahead buffer that holds instructions back until the outcomes of branches are known. The
// outcome of a branch depends on the next instruction of the same thread, which may be far away in
// the trace.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../x86/branch.hpp"
#include "../reader/state.hpp"
#include "engine/register_parts.hpp"
#include "lift.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Branch with an unknown outcome, and the registers that may determine the outcome. Models
// x86::machine_state for x86/branch.hpp.
struct open_branch {
  x86::instruction what;
  std::uint64_t ip = 0, flags = 0, count = 0, operand = 0;

  template <x86::machine_state S> void set(const x86::instruction& i, const S& s) {
    // Copy only the members that x86/branch.hpp uses. For a copy of the entire struct, compilers
    // generate a slow call or rep movs.
    what.branch_offset = i.branch_offset;
    what.length = i.length;
    what.kind = i.kind;
    what.condition = i.condition;
    what.pointer_bytes = i.pointer_bytes;
    what.address_bytes = i.address_bytes;
    what.target_bytes = i.target_bytes;
    what.operand = i.operand;
    what.absolute = i.absolute;
    ip = s.value(x86::reg::ip);
    flags = s.value(x86::reg::flags);
    count = s.value(x86::reg::rcx);
    operand = s.value(i.operand);
  }
  [[nodiscard]] std::uint64_t value(x86::reg r) const noexcept {
    if (r == x86::reg::ip) return ip;
    if (r == x86::reg::flags) return flags;
    return r == what.operand ? operand : count;
  }
  [[nodiscard]] std::uint64_t segment_base(x86::reg) const noexcept { return 0; }
};

// First-in, first-out storage for copies of blocks. A block must be copied if the reader will reuse
// its buffer.
class block_store {
 public:
  // Copies `bytes`, and returns a pointer to the copy. The copy is valid until release() is called
  // with a number greater than `number`. The numbers of successive calls must increase.
  const std::byte* keep(std::span<const std::byte> bytes, std::uint64_t number) {
    if (chunks_.empty() || chunks_.back().used + bytes.size() > chunk_size) add_chunk();
    chunk& c = chunks_.back();
    std::byte* const to = c.bytes.get() + c.used;
    std::copy(bytes.begin(), bytes.end(), to);
    c.used += bytes.size();
    c.last = number;
    return to;
  }
  // Releases the copies with numbers below `number`.
  void release(std::uint64_t number) {
    while (chunks_.size() > 1 && chunks_.front().last < number) {
      spare_ = std::move(chunks_.front().bytes);
      chunks_.pop_front();
    }
    if (chunks_.size() == 1 && chunks_.front().last < number) chunks_.front().used = 0;
  }
  [[nodiscard]] bool full() const { return chunks_.size() * chunk_size >= most; }

 private:
  static constexpr std::size_t chunk_size = std::size_t{128} << 10, most = std::size_t{64} << 20;
  struct chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t used = 0;
    std::uint64_t last = 0;
  };
  void add_chunk() {
    if (!spare_) spare_ = std::make_unique_for_overwrite<std::byte[]>(chunk_size);
    chunks_.push_back({std::move(spare_), 0, 0});
  }
  std::deque<chunk> chunks_ = {};
  std::unique_ptr<std::byte[]> spare_ = {};
};
}  // namespace detail

// Ring buffer of decoded instructions in trace order, numbered from 1. If instructions must wait,
// the buffer grows up to `reach` instructions. Each instruction needs 260 bytes, plus the size of
// its block if the block must be copied.
template <target T> class look_ahead {
 public:
  // Creates an empty buffer. `reach` is rounded up to a power of two. If `registers` is true, the
  // buffer also keeps register files. If `effects` is true, each instruction waits for the next
  // instruction of its thread (go_on()).
  look_ahead(std::size_t reach, bool registers, bool effects)
      : reach_(std::bit_ceil(std::max<std::size_t>(reach, 2))),
        registers_(registers),
        effects_(effects) {
    resize(std::min(reach_, first_size));
  }

  // Returns the entry for the next instruction, which will have the number next_number(). The
  // caller must fill the entry. Do not call next() if capacity() is 0.
  [[nodiscard]] executed_instruction& next() { return entries_[slot(end_)]; }
  [[nodiscard]] std::uint64_t next_number() const { return end_; }
  // Adds the entry that next() returned. The entry must contain instruction `i`, decoded as `what`.
  // `stay` is true if the block's bytes remain valid. If `stay` is false, the bytes are copied.
  TRACECODEC_INLINE void push(const instruction<T>& i, const x86::instruction& what, bool stay) {
    executed_instruction& e = next();
    const block<T>& b = i.block;
    const std::size_t front = block_codec<T>::front_size + (b.has_thread ? sizeof b.thread : 0);
    const std::byte* const from = b.opcode.bytes().data() - front;
    const std::size_t size = block_codec<T>::extent(b);
    e.block = stay ? from : store_.keep({from, size}, end_);
    e.block_size = static_cast<std::uint16_t>(size);
    e.code_at = static_cast<std::uint8_t>(front);
    if (e.outcome == outcome::awaited)
      branches_[slot(end_)].set(what, machine<T>(*i.before, segment_bases{}));
    if (registers_) {
      std::copy_n(i.before->values().begin(), register_words<T>, files_[slot(end_)].begin());
      e.others_changed = std::exchange(others_changed_, false) || changes_vector_state(b);
    }
    ++end_;
  }
  // Records that the caller skipped `i` instead of adding it.
  void pass(const instruction<T>& i) {
    others_changed_ = others_changed_ || (registers_ && changes_vector_state(i.block));
  }
  // Records that the caller skipped unknown instructions after last().
  void pass_some() { others_changed_ = true; }
  // Returns the number of instructions that can be added before grow() must be called, but at most
  // `most`. If the buffer has been full before, first enlarges the buffer, up to its usual size.
  [[nodiscard]] std::size_t capacity(std::size_t most) {
    if (store_.full()) return 0;
    if (end_ > entries_.size() && entries_.size() < std::min(reach_, usual_size))
      resize(2 * entries_.size());
    return std::min(most, entries_.size() - static_cast<std::size_t>(end_ - begin_));
  }
  // Makes room in a full buffer. Either allocates more memory, or gives up on the first waiting
  // instruction. If that instruction is a branch, estimates its outcome.
  void grow() {
    if (entries_.size() < reach_ && !store_.full())
      resize(2 * entries_.size());
    else
      give_up(settled_);
  }

  // Sets the outcome of branch `number`. `ip` is the address at which the branch's thread has
  // continued. Does nothing if the buffer no longer waits for the outcome.
  TRACECODEC_INLINE void follow(std::uint64_t number, std::uint64_t ip) {
    if (number < settled_) return;
    executed_instruction& e = entries_[slot(number)];
    if (e.outcome != outcome::awaited) return;
    const detail::open_branch& b = branches_[slot(number)];
    e.taken = x86::taken(b.what, b, ip);
    e.target = e.taken ? ip : 0;
    e.outcome = outcome::followed;
  }
  // Records that the thread of instruction `number` continues with instruction `next`, which must
  // have been added.
  void go_on(std::uint64_t number, std::uint64_t next) {
    if (number < settled_ || number == 0) return;
    executed_instruction& e = entries_[slot(number)];
    e.open = false;
    e.next = static_cast<std::uint32_t>(next - number);
  }
  // Gives up on all waiting instructions, and estimates all unknown outcomes.
  void cut_off() {
    for (std::uint64_t n = settled_; n != end_; ++n) give_up(n);
  }
  // Returns the most recently added instruction.
  [[nodiscard]] executed_instruction& last() { return entries_[slot(end_ - 1)]; }
  // For each of the first `n` instructions, sets `after` to the register file of the thread's next
  // instruction, or to nullptr if this register file is unknown.
  void find_files_after(std::size_t n) {
    for (std::uint64_t k = begin_; k != begin_ + n; ++k) {
      executed_instruction& e = entries_[slot(k)];
      const std::size_t next = slot(k + e.next);
      e.after = e.next == 0 || e.partial || entries_[next].partial ? nullptr : &files_[next];
    }
  }
  // Marks the end of the trace. Estimates all unknown outcomes, so all instructions become ready.
  void finish() {
    cut_off();
    finished_ = true;
  }

  // Returns the instructions before the first waiting instruction. The range contains only
  // instructions that are contiguous in memory. The last instruction in the buffer is held back
  // until another instruction is added or the trace ends.
  [[nodiscard]] std::span<const executed_instruction> ready() {
    const auto pass_known = [this](auto waits) {
      while (settled_ != end_ && !waits(entries_[slot(settled_)])) ++settled_;
    };
    if (effects_) [[unlikely]]
      pass_known(
          [](const executed_instruction& e) { return e.outcome == outcome::awaited || e.open; });
    else
      pass_known([](const executed_instruction& e) { return e.outcome == outcome::awaited; });
    const std::uint64_t settled_end = finished_ || settled_ != end_ ? settled_ : end_ - 1;
    if (settled_end <= begin_) return {};
    const std::size_t at = slot(begin_);
    return std::span<const executed_instruction>(entries_).subspan(
        at, std::min(static_cast<std::size_t>(settled_end - begin_), entries_.size() - at));
  }
  // Returns the register file of ready().front(), or nullptr if register files are not kept.
  [[nodiscard]] const register_file<T>* files() const {
    return registers_ ? &files_[slot(begin_)] : nullptr;
  }
  // Returns true if the trace ends after the first `n` instructions.
  [[nodiscard]] bool ends_with(std::size_t n) const { return finished_ && begin_ + n == end_; }
  [[nodiscard]] std::uint64_t held() const { return end_ - begin_; }
  // Removes the first `n` instructions, even if their outcomes are unknown. `n` must not exceed
  // held().
  void drop(std::uint64_t n) {
    begin_ += n;
    settled_ = std::max(settled_, begin_);
    store_.release(begin_);
  }
  // Empties the buffer for a new pass. The numbering continues, so the numbers of removed
  // instructions are not used again.
  void clear() {
    drop(held());
    finished_ = false;
    pass_some();
  }

  // Returns the number of branches with an estimated outcome. A branch that is read twice is
  // counted once.
  [[nodiscard]] std::uint64_t estimated() const { return estimated_; }

 private:
  static constexpr std::size_t first_size = 64, usual_size = 2048;

  [[nodiscard]] std::size_t slot(std::uint64_t number) const {
    return static_cast<std::size_t>(number) & (entries_.size() - 1);
  }

  TRACECODEC_INLINE static bool changes_vector_state(const block<T>& b) {
    bool any = false;
    register_state<T>::walk(
        b, [&any](std::size_t w, auto) { any = any || detail::parts_of_registers<T>.others[w]; });
    return any;
  }

  void resize(std::size_t size) {
    const auto move_to = [&](auto& ring) {
      std::remove_reference_t<decltype(ring)> larger(size);
      for (std::uint64_t n = begin_; n != end_; ++n)
        larger[static_cast<std::size_t>(n) & (size - 1)] = ring[slot(n)];
      return larger;
    };
    branches_ = move_to(branches_);
    if (registers_) files_ = move_to(files_);
    entries_ = move_to(entries_);
  }

  void give_up(std::uint64_t number) {
    executed_instruction& e = entries_[slot(number)];
    e.open = false;
    if (e.outcome == outcome::awaited) estimate(number);
  }

  // Estimates the outcome of a branch if the thread's next instruction is unknown.
  [[gnu::noinline]] void estimate(std::uint64_t number) {
    executed_instruction& e = entries_[slot(number)];
    const detail::open_branch& b = branches_[slot(number)];
    e.taken = x86::taken(b.what, b).value_or(false);
    if (e.taken) e.target = x86::branch_target(b.what, b).value_or(loaded_target(e, b.what));
    e.outcome = outcome::estimated;
    if (e.index < estimated_to_) return;
    estimated_to_ = e.index + 1;
    ++estimated_;
  }
  // Returns the target of a ret, or of a jump or call through memory, from the recorded memory
  // word. Returns 0 if the trace does not contain the word.
  static std::uint64_t loaded_target(const executed_instruction& e, const x86::instruction& what) {
    if (e.source_sizes[0] == 0) return 0;
    block<T> b;
    if (!block_codec<T>::decode(std::span(e.block, e.block_size), b)) return 0;
    for (const memory_access& a : accesses(b))
      if (a.address == e.source_memory[0]) return a.old_value & x86::low_bytes(what.target_bytes);
    return 0;
  }

  std::size_t reach_;
  bool registers_, effects_;
  std::vector<executed_instruction> entries_ = {};
  std::vector<detail::open_branch> branches_ = {};  // parallel to entries_; valid for branches
  // Register files, parallel to entries_. for_each_register_change() in values.hpp relies on this
  // order. The vector is empty if register files are not kept.
  std::vector<register_file<T>> files_ = {};
  detail::block_store store_ = {};
  // The buffer contains the instructions with numbers from begin_ up to, but not including, end_.
  // Instructions before settled_ are not waiting.
  std::uint64_t begin_ = 1, settled_ = 1, end_ = 1;
  bool finished_ = false;
  // True if an instruction that was skipped after last() may have changed mxcsr, a vector register
  // or an mm register.
  bool others_changed_ = true;
  std::uint64_t estimated_ = 0, estimated_to_ = 0;
};

}  // namespace tracecodec::x64dbg
