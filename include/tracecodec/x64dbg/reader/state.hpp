// Register values before one instruction, and functions that find changes to registers.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../../wire/record.hpp"
#include "../layout/regdump.hpp"
#include "../layout/registers.hpp"

namespace tracecodec::x64dbg {

// Register state that results from applying blocks in order. Words that none of the blocks stores
// are unknown.
template <target T> class register_state {
 public:
  using word = wire::word_t<T>;
  static constexpr std::size_t words = register_words<T>;
  static constexpr std::size_t cip_word = T == target::x86 ? 8 : 16;
  static constexpr std::size_t csp_word = 4;

  // Applies the register values of a block, in order. If a position is outside REGDUMP, returns
  // false and applies no further values.
  TRACECODEC_INLINE bool apply(const block<T>& b) noexcept {
    return complete_ ? apply_to_complete(b) : fill(b.positions, b.values);
  }
  // Applies the register values of a block to a complete state (complete()).
  TRACECODEC_INLINE bool apply_to_complete(const block<T>& b) noexcept {
    return walk(b, [this](std::size_t w, word v) { values_[w] = v; });
  }

  // Returns true if every word is known, for example because a snapshot was applied.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] bool known(std::size_t w) const noexcept { return known_[w]; }
  // Returns the value of word `w`, or 0 if the word is unknown. `w` must be less than `words`.
  [[nodiscard]] word operator[](std::size_t w) const noexcept { return values_[w]; }
  [[nodiscard]] std::span<const word, words> values() const noexcept { return values_; }

  void set(std::size_t w, word value) noexcept {
    values_[w] = value;
    known_[w] = true;
    complete_ = known_.all();
  }
  // Sets every unknown word to `value`. This function is intended for recorders that cannot read
  // all registers.
  void fill_unknown(word value) noexcept {
    for (std::size_t w = 0; w < words; ++w)
      if (!known_[w]) values_[w] = value;
    known_.set();
    complete_ = true;
  }
  void forget() noexcept { *this = {}; }

  [[nodiscard]] word cip() const noexcept { return values_[cip_word]; }

  // Returns the value of `r`. Returns nullopt if `r` has more than 8 bytes or contains an unknown
  // word.
  [[nodiscard]] std::optional<std::uint64_t> get(const register_name& r) const noexcept {
    std::uint64_t v = 0;
    if (r.size > 8) return std::nullopt;
    for (std::size_t i = r.size; i-- != 0;) {
      const auto b = byte(r, i);
      if (!b) return std::nullopt;
      v = v << 8U | *b;
    }
    return v;
  }
  // Returns the value of the register called `name`. Also returns nullopt if no register has this
  // name. Searches all names, so call find_register() once if a register is read repeatedly.
  [[nodiscard]] std::optional<std::uint64_t> get(std::string_view name) const noexcept {
    const auto r = find_register<T>(name);
    return r ? get(*r) : std::nullopt;
  }
  // Returns byte `i` of a register of any size, or nullopt if the byte is unknown. Byte 0 is the
  // lowest byte. `i` must be less than `r.size`.
  [[nodiscard]] std::optional<std::uint8_t> byte(const register_name& r,
                                                 std::size_t i) const noexcept {
    const std::size_t b = r.offset + i, w = b / sizeof(word);
    if (!known_[w]) return std::nullopt;
    return static_cast<std::uint8_t>(values_[w] >> 8 * (b % sizeof(word)));
  }

  // Calls f(word index, value) for each register value of `b`, in order. If a position is outside
  // REGDUMP, stops and returns false.
  template <class F> TRACECODEC_INLINE static bool walk(const block<T>& b, F&& f) noexcept {
    return walk(b.positions, b.values, f);
  }

 private:
  using position_view = wire::array_view<wire::u8>;
  using value_view = wire::array_view<typename block<T>::word>;

  template <class F>
  TRACECODEC_INLINE static bool walk(position_view positions, value_view values, F&& f) noexcept {
    // The loop uses indexes relative to the ends and counts up to zero, which saves one comparison
    // per value. The asm statement hides the ends from the compiler, because clang would otherwise
    // use indexes relative to the beginnings.
    const std::byte* end = positions.bytes().data() + positions.size();
    const std::byte* values_end = values.bytes().data() + positions.size() * sizeof(word);
    asm("" : "+r"(end), "+r"(values_end));
    std::size_t w = static_cast<std::size_t>(-1);
    for (auto i = -static_cast<std::ptrdiff_t>(positions.size()); i != 0; ++i) {
      w += 1 + std::to_integer<std::size_t>(end[i]);
      if (w >= words) [[unlikely]]
        return false;
      f(w, block<T>::word::load(values_end + i * static_cast<std::ptrdiff_t>(sizeof(word))));
    }
    return true;
  }
  // Applies register values to a state that is not complete. The parameters are views, because a
  // reference to the block would force callers to keep the entire block in memory.
  [[gnu::noinline]] bool fill(position_view positions, value_view values) noexcept {
    const bool whole = walk(positions, values, [this](std::size_t w, word v) {
      values_[w] = v;
      known_[w] = true;
    });
    complete_ = known_.all();
    return whole;
  }
  std::array<word, words> values_ = {};
  std::bitset<words> known_ = {};
  bool complete_ = false;
};

// Returns a mask for each word. The mask's bits are clear for padding in the C struct, because
// padding contains arbitrary values.
template <target T> std::span<const wire::word_t<T>, register_words<T>> meaningful_bits() noexcept;

// Calls f(word index, value before, value after) for each word that an instruction changed.
// `before` and `after` are the registers before and after the instruction. Compares only words that
// are known in both states, and ignores padding.
template <target T, class F>
void for_each_change(const register_state<T>& before, const register_state<T>& after, F&& f) {
  const auto meaningful = meaningful_bits<T>();
  for (std::size_t w = 0; w < register_words<T>; ++w)
    if (((before[w] ^ after[w]) & meaningful[w]) != 0 && before.known(w) && after.known(w))
      f(w, before[w], after[w]);
}

// Calls f(word index, value before, value after) for each word that an instruction changed. `next`
// is the block of the next instruction. Callers therefore need one block of lookahead, but no
// second register state. Returns false if a position in `next` is outside REGDUMP.
template <target T, class F>
bool for_each_change(const register_state<T>& before, const block<T>& next, F&& f) {
  return register_state<T>::walk(
      next, [&, meaningful = meaningful_bits<T>()](std::size_t w, wire::word_t<T> after) {
        if (((before[w] ^ after) & meaningful[w]) != 0 && before.known(w)) f(w, before[w], after);
      });
}

namespace detail {
template <target T> inline constexpr auto meaningful_words = [] {
  using word = wire::word_t<T>;
  std::array<word, register_words<T>> mask{};
  for (word& m : mask) m = static_cast<word>(-1);
  const auto clear = [&mask](std::size_t offset, std::size_t size) {
    for (std::size_t b = offset; b < offset + size; ++b)
      mask[b / sizeof(word)] &= ~(word{0xFF} << 8 * (b % sizeof(word)));
  };
  const auto padding = [](std::string_view name) {
    return name.size() >= wire::padding_name.size() &&
           name.substr(name.size() - wire::padding_name.size()) == wire::padding_name;
  };
  for (const wire::layout_row& row : wire::layout_table<regdump_codec<T>>)
    if (padding(row.name.view())) clear(row.offset, row.size);
  // The layout table does not list padding inside arrays of records, so clear this padding here.
  constexpr std::size_t x87 = regdump_codec<T>::template offset_of<&regdump<T>::x87_registers>;
  for (std::size_t i = 0; i < 8; ++i) clear(x87 + 20 * i + 10, 2);
  return mask;
}();
}  // namespace detail

template <target T> std::span<const wire::word_t<T>, register_words<T>> meaningful_bits() noexcept {
  return detail::meaningful_words<T>;
}

// Returns true if the constants of register_state match the layout of REGDUMP.
template <target T> constexpr bool has_words_of_states() {
  using codec = regdump_codec<T>;
  using state = register_state<T>;
  constexpr std::size_t word = sizeof(wire::word_t<T>);
  return codec::size == state::words * word &&
         codec::template offset_of<&regdump<T>::cip> == state::cip_word * word;
}
static_assert(has_words_of_states<target::x86>() && has_words_of_states<target::x64>());

}  // namespace tracecodec::x64dbg
