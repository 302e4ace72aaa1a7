// Compares the values in two feeds, and finds where registers and memory become different.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../../x86/registers.hpp"
#include "../../relocation.hpp"
#include "../values.hpp"

namespace tracecodec::analysis {

// Recorded value of 8 bytes at an address or register offset that is a multiple of 8.
struct recorded_value {
  std::uint64_t place = 0;  // address for memory, or register_place() for a register
  std::uint64_t value = 0;
  std::uint8_t known = 0;  // bit n is set if byte n is recorded
  bool memory = false;
  bool after = false;
  bool stays = false;  // true for memory that the instruction does not write
};

namespace detail {

// Number of 8-byte places in 256 registers of up to 64 bytes.
constexpr std::size_t register_places = 256 * 8;
constexpr std::size_t register_place(x86::reg r, std::size_t offset) noexcept {
  return std::size_t{x86::number(r)} * 8 + offset / 8;
}
// Convert between a mask and 8 bytes. bytes_of_mask() sets byte n to 0xFF if bit n is set, and
// mask_of_bytes() sets bit n if byte n is not 0.
constexpr std::uint64_t bytes_of_mask(std::uint8_t mask) noexcept {
  const std::uint64_t bits = mask * 0x0101010101010101U & 0x8040201008040201U;
  return (((bits + 0x7F7F7F7F7F7F7F7FU) & 0x8080808080808080U) >> 7U) * 0xFFU;
}
constexpr std::uint8_t mask_of_bytes(std::uint64_t all) noexcept {
  constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7FU;
  const std::uint64_t bits = ((((all & low) + low) | all) & ~low) >> 7U;
  return static_cast<std::uint8_t>(bits * 0x0102040810204080U >> 56U);
}
static_assert(bytes_of_mask(0b10110001) == 0xFF00FFFF000000FFU);
static_assert(mask_of_bytes(0x80002001000000FFU) == 0b10110001);

// Returns true if the values of `r` are compared. The instruction pointer is excluded, because the
// comparison aligns the traces by ip. Registers that only the system sets are also excluded.
constexpr bool is_compared(x86::reg r) noexcept {
  using x86::reg;
  const auto within = [r](reg first, std::size_t n) { return r >= first && r < row(first, n); };
  return within(reg::rdi, 16) || r == reg::flags || r == reg::mxcsr || within(reg::vector0, 32) ||
         within(reg::mask0, 8) || within(reg::mmx0, 8) || within(reg::x87_0, 8);
}
inline constexpr auto compared_registers = [] {
  std::array<bool, 256> all{};
  for (std::size_t n = 0; n != all.size(); ++n) all[n] = is_compared(static_cast<x86::reg>(n));
  return all;
}();
// Mask of the compared flags: CF, PF, AF, ZF, SF, DF and OF. The other flags belong to the
// debugger and the system.
inline constexpr std::uint64_t compared_flags = 0xCD5;

// Queue of the recorded values of instructions. Its memory is bounded: while the queue contains
// `most` values, the values of further instructions are omitted.
class recorded_values {
 public:
  explicit recorded_values(std::size_t most) : most_(most) {}

  // Returns true if the next instruction's values must be omitted. To append an instruction, call
  // add() for each value and then end(). Pass true to end() if all values were added. If full()
  // returns true, call leave_out() instead.
  [[nodiscard]] bool full() const noexcept { return all_.size() - at_ >= most_; }
  // Adds a value. Sets the members in place, because copying a struct directly after its members
  // were stored would stall.
  void add(std::uint64_t place, std::uint64_t value, std::uint8_t known, bool memory, bool after) {
    recorded_value& v = all_.emplace_back();
    v.place = place;
    v.value = value;
    v.known = known;
    v.memory = memory;
    v.after = after;
  }
  // Returns the values added for the current instruction.
  [[nodiscard]] std::span<recorded_value> added() { return std::span(all_).subspan(ended_); }
  void end(bool all_of_it) {
    counts_.push_back(static_cast<std::uint32_t>(all_.size() - ended_) |
                      (all_of_it ? 0 : incomplete));
    ended_ = all_.size();
  }
  void leave_out() { counts_.push_back(left_out); }

  // Removes and returns the values of the first instruction, or returns nullopt if they were
  // omitted. The span is valid until more values are added.
  std::optional<std::span<const recorded_value>> take() {
    const std::uint32_t n = counts_[count_at_++];
    took_all_ = (n & incomplete) == 0;
    if (n == left_out) return std::nullopt;
    at_ += n & ~incomplete;
    return std::span<const recorded_value>(all_).subspan(at_ - (n & ~incomplete), n & ~incomplete);
  }
  // Returns true if the last take() returned all values of its instruction.
  [[nodiscard]] bool took_all() const noexcept { return took_all_; }
  // Frees the memory of values that take() has returned.
  void drop_taken() {
    counts_.erase(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(count_at_));
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(at_));
    ended_ -= at_;
    count_at_ = at_ = 0;
  }

 private:
  // Flag that is set in a count if some values are missing. Counts are at most a few thousand, so
  // they never use this bit. left_out replaces the count if all values were omitted.
  static constexpr std::uint32_t incomplete = std::uint32_t{1} << 31U, left_out = ~std::uint32_t{0};
  std::size_t most_;
  std::vector<recorded_value> all_ = {};
  std::vector<std::uint32_t> counts_ = {};
  std::size_t at_ = 0, count_at_ = 0, ended_ = 0;
  bool took_all_ = true;
};

// State of a comparison of the values in two feeds.
//
// A value becomes different at one instruction, and remains different until both feeds record equal
// values. Only that instruction is reported. Otherwise, a stack pointer that differs would be
// reported at every instruction. For memory, at most 65,536 8-byte pieces are remembered. A
// forgotten difference is reported again.
class value_comparison {
 public:
  // Creates a comparison. `all_of_a` and `all_of_b` are true if the first or the second feed,
  // respectively, stores all registers. In such a feed, a recorded value remains valid until a new
  // value is recorded. `moved` relocates the second feed's memory addresses and must outlive this
  // object.
  value_comparison(bool all_of_a, bool all_of_b, const relocation* moved = nullptr)
      : moved_(moved) {
    a_.all = all_of_a;
    b_.all = all_of_b;
  }
  using values = std::optional<std::span<const recorded_value>>;

  // Compares the values of two instructions with the same ip, and returns the values that become
  // different. The span is valid until the next call.
  std::span<value_difference> compare(values a, values b) {
    found_.clear();
    now_ += 2;
    const auto of_a = open(a_, a), of_b = open(b_, b);
    for (const bool after : {false, true}) {
      keep(a_, of_a, after);
      keep(b_, of_b, after);
      compare_registers(after);
      if (!of_a.empty() && !of_b.empty()) compare_memory(of_a, of_b, after);
    }
    return found_;
  }
  // Treats a value that differs as equal until the value is recorded again.
  void forget(const value_difference& v) {
    if (!v.memory) {
      std::uint8_t& different = different_[register_place(v.which, static_cast<std::size_t>(v.at))];
      different = static_cast<std::uint8_t>(different & ~v.known);
    } else if (place_in_memory& place = remembered(v.at); place.address == v.at) {
      place.different = static_cast<std::uint8_t>(place.different & ~v.known);
    }
  }
  // Stores the values of an instruction that is not compared. `first` is true for an instruction of
  // the first feed.
  void pass(bool first, values t) {
    side& s = first ? a_ : b_;
    now_ += 2;
    const auto all = open(s, t);
    if (s.all) keep(s, all, false);
  }

 private:
  struct side {
    bool all = false;
    // Time from which recorded values are valid if `all` is true. Values recorded earlier are
    // unknown.
    std::uint64_t since = 1;
    std::array<std::uint64_t, register_places> values = {}, recorded_at = {};
    std::array<std::uint8_t, register_places> known = {};
  };
  struct place_in_memory {
    std::uint64_t address = 0;
    std::uint8_t different = 0;
  };
  static constexpr std::size_t memory_bits = 16;

  std::span<const recorded_value> open(side& s, values t) const {
    if (t) return *t;
    s.since = now_ + 2;
    return {};
  }
  void keep(side& s, std::span<const recorded_value> all, bool after) {
    for (const recorded_value& v : all) {
      if (v.memory || v.after != after) continue;
      const auto p = static_cast<std::size_t>(v.place);
      const std::uint64_t now = now_ + (after ? 1 : 0);
      const bool more = s.recorded_at[p] == now || (s.all && s.recorded_at[p] >= s.since);
      const std::uint64_t these = bytes_of_mask(v.known);
      s.values[p] = more ? (s.values[p] & ~these) | (v.value & these) : v.value;
      s.known[p] = static_cast<std::uint8_t>(more ? s.known[p] | v.known : v.known);
      s.recorded_at[p] = now;
      if (!changed_[p]) {
        changed_[p] = true;
        list_[listed_++] = static_cast<std::uint16_t>(p);
      }
    }
  }
  [[nodiscard]] bool holds(const side& s, std::size_t p, bool after) const {
    if (after) return s.recorded_at[p] == now_ + 1;
    return s.recorded_at[p] >= (s.all ? s.since : now_);
  }
  void compare_registers(bool after) {
    for (std::size_t n = 0; n != listed_; ++n) {
      const std::size_t p = list_[n];
      changed_[p] = false;
      if (holds(a_, p, after) && holds(b_, p, after))
        compare({false, after, static_cast<x86::reg>(p / 8), p % 8 * 8,
                 static_cast<std::uint8_t>(a_.known[p] & b_.known[p]), a_.values[p], b_.values[p]},
                different_[p]);
    }
    listed_ = 0;
  }
  // Returns true if `x` and `y` can be compared. If `after` is false, both must be values before
  // the instruction. If `after` is true, both must be values after the instruction, and at least
  // one of them must have been written.
  static bool comparable(const recorded_value& x, const recorded_value& y, bool after) {
    if (!after) return !x.after && !y.after;
    return (x.after && (y.after || y.stays)) || (x.stays && y.after);
  }
  // Returns the table entry for an address. The table must not be empty.
  place_in_memory& remembered(std::uint64_t address) {
    const std::uint64_t hash = address * 0x9E3779B97F4A7C15U >> (64 - memory_bits);
    return different_memory_[static_cast<std::size_t>(hash)];
  }
  [[nodiscard]] std::uint64_t place_of(const recorded_value& y) const {
    return moved_ == nullptr ? y.place : (*moved_)(y.place);
  }
  void compare_memory(std::span<const recorded_value> a, std::span<const recorded_value> b,
                      bool after) {
    for (const recorded_value& x : a) {
      if (!x.memory) continue;
      for (const recorded_value& y : b) {
        if (!y.memory || x.place != place_of(y) || !comparable(x, y, after)) continue;
        const value_difference v{
            true,    after,  x86::reg::none, x.place, static_cast<std::uint8_t>(x.known & y.known),
            x.value, y.value};
        if (different_memory_.empty()) {
          if (((v.a ^ v.b) & bytes_of_mask(v.known)) == 0) continue;
          different_memory_.resize(std::size_t{1} << memory_bits);
        }
        place_in_memory& place = remembered(x.place);
        if (place.address != x.place) {
          if (((v.a ^ v.b) & bytes_of_mask(v.known)) == 0) continue;
          place = {x.place, 0};
        }
        compare(v, place.different);
      }
    }
  }
  // Compares v.a with v.b in the known bytes, and updates `different`, the mask of the bytes that
  // differ. Stores the difference if it is new.
  void compare(value_difference v, std::uint8_t& different) {
    const std::uint64_t known = bytes_of_mask(v.known);
    v.a &= known;
    v.b &= known;
    const std::uint8_t now = mask_of_bytes(v.a ^ v.b);
    if (now != 0 && (different & v.known) == 0) found_.push_back(v);
    different = static_cast<std::uint8_t>((different & ~v.known) | now);
  }

  const relocation* moved_;
  side a_ = {}, b_ = {};
  std::uint64_t now_ = 0;  // time: even before an instruction, odd after an instruction
  std::bitset<register_places> changed_ = {};
  std::array<std::uint16_t, register_places> list_ = {};
  std::size_t listed_ = 0;
  std::array<std::uint8_t, register_places> different_ = {};
  std::vector<place_in_memory> different_memory_ = {};
  std::vector<value_difference> found_ = {};
};

}  // namespace detail
}  // namespace tracecodec::analysis
