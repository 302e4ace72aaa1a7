// Disassembler that caches its results. The cache is direct-mapped, and the bytes of an instruction
// are its key.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "../wire/types/scalar.hpp"
#include "disassembler.hpp"

namespace tracecodec::x86 {

namespace detail {
// Key of the cache: the bytes and the size of an opcode, packed into two words. Different opcodes
// have different keys.
struct opcode_key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;  // bytes 8 to 14 of the opcode, and its size in the top byte
  friend constexpr bool operator==(const opcode_key&, const opcode_key&) = default;
};

// Returns the key of `code`, which must have at most 15 bytes. Uses overlapping loads instead of a
// loop.
TRACECODEC_INLINE constexpr opcode_key key_of(std::span<const std::byte> code) noexcept {
  using wire::u32le, wire::u64le;
  const std::byte* p = code.data();
  const std::size_t n = code.size();
  opcode_key k;
  if (n >= 8) {
    k.low = u64le::load(p);
    k.high = u64le::load(p + n - 8) >> (8 * (15 - n)) >> 8;
  } else if (n >= 4) {
    k.low = u32le::load(p) | std::uint64_t{u32le::load(p + n - 4)} << (8 * (n - 4));
  } else {
    for (std::size_t i = 0; i < n; ++i) k.low |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  }
  k.high |= std::uint64_t{n} << 56;
  return k;
}
}  // namespace detail

// Cache of the instructions that `D` decodes. The cache stores each instruction as an `Entry`,
// which can also contain, for example, the operand lists of a simulator. An `Entry` must be
// constructible from an instruction, and the constructor must not throw.
//
// `Slots` must be a power of two. Programs have a few thousand distinct instructions, so 64 Ki
// slots cause few conflicts. The cache starts with 64 slots and grows up to `Slots` as needed. A
// cache hit takes 5 ns, while decoding with Zydis takes 180 ns. Not thread-safe.
template <disassembler D, class Entry = instruction, std::size_t Slots = 65536>
class cached_disassembler {
  static_assert(Slots > 1 && (Slots & (Slots - 1)) == 0, "a power of two");

 public:
  static constexpr std::size_t longest_opcode = 15;

  explicit cached_disassembler(D d)
      : disassembler_(std::move(d)), slots_(empty(Slots < 64 ? Slots : 64)) {}

  // Returns the entry of the instruction at the front of `code`. The first 15 bytes of `code` are
  // the key, so pass only the bytes of the instruction. The reference is valid until the next call.
  TRACECODEC_INLINE const Entry& decode(std::span<const std::byte> code) noexcept {
    if (code.size() > longest_opcode) [[unlikely]]
      code = code.first(longest_opcode);
    const detail::opcode_key key = detail::key_of(code);
    slot* s = &slots_[slot_of(key)];
    if (!(s->key == key)) [[unlikely]]
      s = fill(key, code);
    return s->entry;
  }
  [[nodiscard]] target mode() const noexcept { return disassembler_.mode(); }

  // Returns the number of instructions that the underlying disassembler has decoded.
  [[nodiscard]] std::uint64_t misses() const noexcept { return misses_; }

 private:
  // Slot of the cache. The key of an unused slot is all zeros, which is not the key of any
  // instruction.
  struct slot {
    detail::opcode_key key;
    Entry entry;
  };

  static std::vector<slot> empty(std::size_t n) {
    return std::vector<slot>(n, slot{{}, Entry(instruction{})});
  }
  [[nodiscard]] std::size_t slot_of(const detail::opcode_key& k) const noexcept {
    // The shift by 32 folds the top bits of `mixed` into the low bits. The second multiplication
    // then spreads the low bits over all bits. The top bits of the product select the slot.
    std::uint64_t mixed = k.low ^ k.high * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
    return static_cast<std::size_t>(mixed >> shift_);
  }
  [[gnu::noinline]] slot* fill(const detail::opcode_key& key,
                               std::span<const std::byte> code) noexcept {
    if (++misses_ > slots_.size() / 4 && slots_.size() < Slots) grow();
    slot& s = slots_[slot_of(key)];
    s.key = key;
    s.entry = Entry(static_cast<const instruction&>(disassembler_.decode(code)));
    return &s;
  }
  void grow() noexcept {
    try {
      std::vector<slot> before = empty(2 * slots_.size());
      before.swap(slots_);
      --shift_;
      for (slot& s : before)
        if (!(s.key == detail::opcode_key{})) slots_[slot_of(s.key)] = std::move(s);
    } catch (const std::bad_alloc&) {
      // If there is not enough memory, the cache keeps its current size.
    }
  }

  D disassembler_;
  std::vector<slot> slots_;
  int shift_ = 64 - static_cast<int>(std::bit_width(slots_.size() - 1));
  std::uint64_t misses_ = 0;
};

}  // namespace tracecodec::x86
