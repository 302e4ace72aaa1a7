// Memory accesses of an instruction, and functions that determine which recorded values are
// reliable.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Access to a memory operand. x64dbg records the entire word at the operand's address, so the bytes
// beyond the operand's size are neighbouring memory. An operand wider than a word has several
// accesses. The old value of unreadable memory is 0.
struct memory_access {
  std::uint64_t address = 0;
  std::uint64_t old_value = 0;
  // Value after the instruction, or nullopt if the instruction only read the word or wrote the same
  // value.
  std::optional<std::uint64_t> new_value = {};
  std::uint8_t reserved = 0;  // flags with bit 0 cleared; 0 in sound traces
  [[nodiscard]] constexpr std::uint64_t value_after() const noexcept {
    return new_value.value_or(old_value);
  }
  friend constexpr bool operator==(const memory_access&, const memory_access&) = default;
};

// Forward range of the accesses of a block, in order. Each access is decoded when an iterator
// reaches the access. The range and its iterators are valid as long as the block's views are valid,
// and iterators may outlive the range. Iterators read the flags again, and a mapped file may have
// changed since the block was decoded. Therefore, iterators never read more new values than the
// block contains.
template <target T> class access_range {
  using word = typename block<T>::word;

 public:
  constexpr explicit access_range(const block<T>& b) noexcept
      : flags_(b.access_flags.bytes()),
        addresses_(b.addresses.bytes().data()),
        old_values_(b.old_values.bytes().data()),
        new_values_(b.new_values.bytes()) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return flags_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return flags_.empty(); }

  class iterator {
   public:
    using value_type = memory_access;
    using difference_type = std::ptrdiff_t;
    using reference = memory_access;
    using pointer = void;
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    constexpr iterator() = default;
    constexpr explicit iterator(const access_range& of) noexcept
        : at_(of.flags_.data()),
          end_(at_ + of.flags_.size()),
          address_(of.addresses_),
          old_value_(of.old_values_),
          new_value_(of.new_values_.data()),
          new_end_(new_value_ + of.new_values_.size()) {}
    constexpr memory_access operator*() const noexcept {
      memory_access a{word::load(address_), word::load(old_value_), std::nullopt,
                      static_cast<std::uint8_t>(*at_ & std::byte{0xFE})};
      if (changed()) a.new_value = word::load(new_value_);
      return a;
    }
    constexpr iterator& operator++() noexcept {
      if (changed()) [[unlikely]]
        new_value_ += word::size;  // only accesses that changed memory have a new value
      ++at_;
      address_ += word::size;
      old_value_ += word::size;
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.at_ == b.at_;
    }
    friend constexpr bool operator==(const iterator& a, std::default_sentinel_t) noexcept {
      return a.at_ == a.end_;
    }

   private:
    [[nodiscard]] constexpr bool changed() const noexcept {
      return (*at_ & std::byte{1}) == std::byte{0} && new_value_ != new_end_;
    }
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
    const std::byte* address_ = nullptr;
    const std::byte* old_value_ = nullptr;
    const std::byte* new_value_ = nullptr;
    const std::byte* new_end_ = nullptr;
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(*this); }
  [[nodiscard]] constexpr std::default_sentinel_t end() const noexcept { return {}; }

 private:
  std::span<const std::byte> flags_;
  const std::byte* addresses_;
  const std::byte* old_values_;
  std::span<const std::byte> new_values_;
};

template <target T> constexpr access_range<T> accesses(const block<T>& b) noexcept {
  return access_range<T>(b);
}

// Returns true if the instruction stores below the stack pointer: PUSH, PUSHA, PUSHF, CALL, ENTER.
// Since June 2024, x64dbg has recorded a wrong old value for these stores, namely the word at csp.
template <target T> constexpr bool pushes(std::span<const std::byte> opcode) noexcept {
  const auto at = [opcode](std::size_t i) {
    return i < opcode.size() ? std::to_integer<unsigned>(opcode[i]) : 0x100U;
  };
  const auto is_prefix = [](unsigned b) {
    return b == 0x66 || b == 0x67 || b == 0xF0 || b == 0xF2 || b == 0xF3 || b == 0x2E ||
           b == 0x36 || b == 0x3E || b == 0x26 || b == 0x64 || b == 0x65;
  };
  std::size_t i = 0;
  while (is_prefix(at(i))) ++i;
  constexpr bool wide = T == target::x64;
  if (wide && (at(i) & 0x1F0U) == 0x40) ++i;  // REX prefix
  const unsigned op = at(i), next = at(i + 1);
  if ((op & 0x1F8U) == 0x50 || op == 0x68 || op == 0x6A || op == 0x9C || op == 0xE8 || op == 0xC8)
    return true;
  if (op == 0xFF) return (next >> 3U & 7U) == 2 || (next >> 3U & 7U) == 3 || (next >> 3U & 7U) == 6;
  if (op == 0x0F) return next == 0xA0 || next == 0xA8;
  return !wide &&
         (op == 0x60 || op == 0x9A || op == 0x06 || op == 0x0E || op == 0x16 || op == 0x1E);
}

// Returns true if `a.old_value` is the value in memory before the instruction. `csp` is the stack
// pointer before the instruction, or nullopt if the stack pointer is unknown.
template <target T> constexpr bool trusts_old_value(const memory_access& a,
                                                    std::span<const std::byte> opcode,
                                                    std::optional<wire::word_t<T>> csp) noexcept {
  if (!pushes<T>(opcode)) return true;
  // A push stores only words directly below the old stack pointer. PUSHA stores 8 words, and ENTER
  // up to 32 words.
  using word = wire::word_t<T>;
  return csp && static_cast<word>(*csp - 1 - static_cast<word>(a.address)) >= 33 * sizeof(word);
}

}  // namespace tracecodec::x64dbg
