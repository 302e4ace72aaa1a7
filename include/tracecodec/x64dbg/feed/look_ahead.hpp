// Holds instructions back until it is known where their branches led: the next instruction of the
// same thread tells, and that may come much later.
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
// A branch whose outcome is awaited, and of the state before it what may decide about it
// (x86::machine_state).
struct open_branch {
  x86::instruction what;
  std::uint64_t ip = 0, flags = 0, count = 0, operand = 0;

  template <x86::machine_state S> void set(const x86::instruction& i, const S& s) {
    // What the functions of x86/branch.hpp ask for: all of it would be a call or rep movs.
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

// The bytes of blocks that lie in a buffer which is going to be reused; first in, first out.
class block_store {
 public:
  // A copy that stays until release() of a higher number; numbers rise.
  const std::byte* keep(std::span<const std::byte> bytes, std::uint64_t number) {
    if (chunks_.empty() || chunks_.back().used + bytes.size() > chunk_size) add_chunk();
    chunk& c = chunks_.back();
    std::byte* const to = c.bytes.get() + c.used;
    std::copy(bytes.begin(), bytes.end(), to);
    c.used += bytes.size();
    c.last = number;
    return to;
  }
  // Nothing below `number` is needed any more.
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

// A ring of lifted instructions in trace order, numbered from 1. Its memory grows as instructions
// must wait, to that of `reach` of them; 260 bytes each, and their blocks if they must be copied.
template <target T> class look_ahead {
 public:
  // `reach` is rounded up to a power of two; `registers`: keep the register files, too; `effects`: wait
  // for the next instruction of each thread (go_on()).
  look_ahead(std::size_t reach, bool registers, bool effects)
      : reach_(std::bit_ceil(std::max<std::size_t>(reach, 2))),
        registers_(registers),
        effects_(effects) {
    resize(std::min(reach_, first_size));
  }

  // The instruction that is taken in next, and its number. Only if room() is not 0.
  [[nodiscard]] lifted& next() { return entries_[slot(end_)]; }
  [[nodiscard]] std::uint64_t next_number() const { return end_; }
  // Takes it in: `i`, decoded as `what`. Its bytes are copied unless they `stay`.
  TRACECODEC_INLINE void push(const instruction<T>& i, const x86::instruction& what, bool stay) {
    lifted& e = next();
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
      e.others_changed = std::exchange(others_changed_, false) || changes_others(b);
    }
    ++end_;
  }
  // An instruction that is not taken in.
  void pass(const instruction<T>& i) {
    others_changed_ = others_changed_ || (registers_ && changes_others(i.block));
  }
  // Nothing is known of those between the last instruction and the next one.
  void pass_some() { others_changed_ = true; }
  // How many instructions can be taken in without giving one up; at most `most`. A longer trace
  // gets more room.
  [[nodiscard]] std::size_t room(std::size_t most) {
    if (store_.full()) return 0;
    if (end_ > entries_.size() && entries_.size() < std::min(reach_, usual_size))
      resize(2 * entries_.size());
    return std::min(most, entries_.size() - static_cast<std::size_t>(end_ - begin_));
  }
  // Makes room, where there is none: by more memory, or by not waiting for what the first
  // instruction waits for.
  void make_room() {
    if (entries_.size() < reach_ && !store_.full())
      resize(2 * entries_.size());
    else
      give_up(settled_);
  }

  // Instruction `number` is a branch, and its thread went on at `ip`. Nothing happens if it is no
  // longer awaited.
  TRACECODEC_INLINE void follow(std::uint64_t number, std::uint64_t ip) {
    if (number < settled_) return;
    lifted& e = entries_[slot(number)];
    if (e.outcome != outcome::awaited) return;
    const detail::open_branch& b = branches_[slot(number)];
    e.taken = x86::taken(b.what, b, ip);
    e.target = e.taken ? ip : 0;
    e.outcome = outcome::followed;
  }
  // Instruction `next`, which was taken in, is the one with which the thread of `number` goes on.
  void go_on(std::uint64_t number, std::uint64_t next) {
    if (number < settled_ || number == 0) return;
    lifted& e = entries_[slot(number)];
    e.open = false;
    e.next = static_cast<std::uint32_t>(next - number);
  }
  // What is still awaited does not come.
  void cut_off() {
    for (std::uint64_t n = settled_; n != end_; ++n) give_up(n);
  }
  // The instruction that was taken in last.
  [[nodiscard]] lifted& last() { return entries_[slot(end_ - 1)]; }
  // Has the first `n` point to the files of those with which their threads go on.
  void find_files_after(std::size_t n) {
    for (std::uint64_t k = begin_; k != begin_ + n; ++k) {
      lifted& e = entries_[slot(k)];
      const std::size_t next = slot(k + e.next);
      e.after = e.next == 0 || e.partial || entries_[next].partial ? nullptr : &files_[next];
    }
  }
  // Nothing follows: what is still awaited is estimated, and everything is ready.
  void finish() {
    cut_off();
    finished_ = true;
  }

  // The first instructions, as far as their outcome is known and they lie side by side. The last
  // one is kept until it is known whether another follows it.
  [[nodiscard]] std::span<const lifted> ready() {
    const auto pass_known = [this](auto waits) {
      while (settled_ != end_ && !waits(entries_[slot(settled_)])) ++settled_;
    };
    if (effects_) [[unlikely]]
      pass_known([](const lifted& e) { return e.outcome == outcome::awaited || e.open; });
    else
      pass_known([](const lifted& e) { return e.outcome == outcome::awaited; });
    const std::uint64_t behind = finished_ || settled_ != end_ ? settled_ : end_ - 1;
    if (behind <= begin_) return {};
    const std::size_t at = slot(begin_);
    return std::span<const lifted>(entries_).subspan(
        at, std::min(static_cast<std::size_t>(behind - begin_), entries_.size() - at));
  }
  // The register file that belongs to ready().front(); nullptr if they are not kept.
  [[nodiscard]] const register_file<T>* files() const {
    return registers_ ? &files_[slot(begin_)] : nullptr;
  }
  // Whether nothing is behind the first `n`.
  [[nodiscard]] bool ends_with(std::size_t n) const { return finished_ && begin_ + n == end_; }
  [[nodiscard]] std::uint64_t held() const { return end_ - begin_; }
  // Removes the first `n`, known or not; n <= held().
  void drop(std::uint64_t n) {
    begin_ += n;
    settled_ = std::max(settled_, begin_);
    store_.release(begin_);
  }
  // Empties it for a new beginning. Numbers go on, so that the old ones mean nothing.
  void clear() {
    drop(held());
    finished_ = false;
    pass_some();
  }

  // Branches that were estimated; of a trace read twice only once.
  [[nodiscard]] std::uint64_t estimated() const { return estimated_; }

 private:
  static constexpr std::size_t first_size = 64, usual_size = 2048;

  [[nodiscard]] std::size_t slot(std::uint64_t number) const {
    return static_cast<std::size_t>(number) & (entries_.size() - 1);
  }

  TRACECODEC_INLINE static bool changes_others(const block<T>& b) {
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
    lifted& e = entries_[slot(number)];
    e.open = false;
    if (e.outcome == outcome::awaited) estimate(number);
  }

  // Outcome of a branch without its successor.
  [[gnu::noinline]] void estimate(std::uint64_t number) {
    lifted& e = entries_[slot(number)];
    const detail::open_branch& b = branches_[slot(number)];
    e.taken = x86::taken(b.what, b).value_or(false);
    if (e.taken) e.target = x86::branch_target(b.what, b).value_or(loaded_target(e, b.what));
    e.outcome = outcome::estimated;
    if (e.index < estimated_to_) return;
    estimated_to_ = e.index + 1;
    ++estimated_;
  }
  // The recorded word where a ret, or a jump or call through memory, finds its target; else 0.
  static std::uint64_t loaded_target(const lifted& e, const x86::instruction& what) {
    if (e.source_sizes[0] == 0) return 0;
    block<T> b;
    if (!block_codec<T>::decode(std::span(e.block, e.block_size), b)) return 0;
    for (const memory_access& a : accesses(b))
      if (a.address == e.source_memory[0]) return a.old_value & x86::low_bytes(what.target_bytes);
    return 0;
  }

  std::size_t reach_;
  bool registers_, effects_;
  std::vector<lifted> entries_ = {};
  std::vector<detail::open_branch> branches_ = {};  // parallel; of branches only
  std::vector<register_file<T>> files_ =
      {};  // parallel, as values.hpp relies on; empty if not kept
  detail::block_store store_ = {};
  // Numbers: held are those from begin_ to end_; none before settled_ is awaited.
  std::uint64_t begin_ = 1, settled_ = 1, end_ = 1;
  bool finished_ = false;
  bool others_changed_ = true;  // by what was not taken in, or is not known
  std::uint64_t estimated_ = 0, estimated_to_ = 0;
};

}  // namespace tracecodec::x64dbg
