// Recognition of CVP-1 and CBP2025 traces by the structure of their records, because these traces
// have no signature. This room must not include cvp/, so the rules are those of cvp/trace_file.hpp
// once more: tests/cvp compares the two.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../../wire/types/scalar.hpp"

namespace tracecodec::file::detail::known {

enum class cvp_dialect : std::uint8_t { cvp1, cbp2025 };

// Walk through variable-size records with this structure:
//   u64 pc, u8 class,
//   load, store:  u64 address, u8 size; in CBP2025 also u8 base update, and for a store
//                 u8 register offset
//   branch:       u8 taken, and u64 target if taken
//   u8 number of inputs, u8 per input, u8 number of outputs, u8 per output,
//   u64 per output, or two u64 for a vector register (32 to 63)
class cvp_walk {
 public:
  cvp_walk(std::span<const std::byte> bytes, cvp_dialect dialect) noexcept
      : rest_(bytes), newer_(dialect == cvp_dialect::cbp2025) {}

  struct step {
    std::uint64_t pc, next;
  };
  // Returns the address of the next record's instruction, and the address of the instruction that
  // follows it in the program. Returns nullopt at the end of the bytes, or if the bytes are not a
  // valid record. For an invalid record, broken() returns true.
  std::optional<step> next() noexcept {
    const std::span<const std::byte> record = rest_;
    step s{word(), 0};
    bool plausible = s.pc != 0 && s.pc % 4 == 0;
    const unsigned kind = byte();
    if (kind > (newer_ ? 11U : 8U)) return refuse();
    if (kind == load || kind == store) {
      word();
      plausible = byte() <= largest_access && plausible;
      if (newer_ && byte() > 1) return refuse();
      if (newer_ && kind == store && byte() > 1) return refuse();
    }
    s.next = s.pc + 4;
    if ((kind >= conditional && kind <= indirect) || kind >= call) {
      const unsigned taken = byte();
      if (taken > 1) return refuse();
      plausible = plausible && (taken == 1 || kind == conditional);
      if (taken == 1) s.next = word();
    }
    std::size_t inputs = 0, words = 0;
    if (!registers(inputs, plausible) || !registers(words, plausible)) return refuse();
    while (words-- != 0 && !short_) word();
    if (short_) {
      rest_ = record;
      return std::nullopt;
    }
    return plausible ? std::optional(s) : refuse();
  }
  [[nodiscard]] bool broken() const noexcept { return broken_; }

 private:
  static constexpr unsigned load = 1, store = 2, conditional = 3, indirect = 5, call = 9;
  static constexpr unsigned largest_access = 128, most_registers = 16;

  std::optional<step> refuse() noexcept {
    broken_ = !short_;
    return std::nullopt;
  }
  unsigned byte() noexcept {
    if (rest_.empty()) {
      short_ = true;
      return 0;
    }
    const unsigned b = std::to_integer<unsigned>(rest_[0]);
    rest_ = rest_.subspan(1);
    return b;
  }
  std::uint64_t word() noexcept {
    if (rest_.size() < 8) {
      short_ = true;
      rest_ = {};
      return 0;
    }
    const std::uint64_t w = wire::u64le::load(rest_.data());
    rest_ = rest_.subspan(8);
    return w;
  }
  // Reads a count `n` and `n` registers. Adds the number of words in the registers' values to
  // `words`. Sets `plausible` to false if `n` is too large for an instruction.
  bool registers(std::size_t& words, bool& plausible) noexcept {
    const unsigned n = byte();
    plausible = plausible && n <= most_registers;
    short_ = short_ || n > rest_.size();
    for (unsigned i = 0; i < n && !short_; ++i) {
      const unsigned r = byte();
      if (r > (newer_ ? 65U : 64U)) return false;
      words += r >= 32 && r < 64 ? 2 : 1;
    }
    return true;
  }

  std::span<const std::byte> rest_;
  bool newer_, short_ = false, broken_ = false;
};

// Returns true if `bytes` are records of `dialect`, and at least three quarters of the records are
// followed by the program's next instruction.
inline bool is_cvp(std::span<const std::byte> bytes, cvp_dialect dialect) noexcept {
  constexpr std::size_t judged = 256;
  cvp_walk walk(bytes, dialect);
  std::size_t records = 0, led = 0;
  std::uint64_t expected = 0;
  while (records < judged) {
    const auto at = walk.next();
    if (!at) break;
    led += records != 0 && at->pc == expected;
    expected = at->next;
    ++records;
  }
  return !walk.broken() && records >= 2 && 4 * led >= 3 * (records - 1);
}

}  // namespace tracecodec::file::detail::known
