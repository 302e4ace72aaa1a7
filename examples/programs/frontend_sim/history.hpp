// Outcomes of past branches, and long sequences of outcomes that are folded into a few bits. A
// predictor uses a folded history if a table considers more outcomes than an index has bits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace frontend {

// Last 512 outcomes. Before the first branch, all outcomes are "not taken".
class outcome_history {
 public:
  static constexpr std::size_t capacity = 512;
  // Returns the outcome with age `age`. The newest outcome has age 0.
  [[nodiscard]] bool operator[](std::size_t age) const {
    return outcomes_[(newest_ + age) % capacity];
  }
  void push(bool taken) {
    newest_ = (newest_ + capacity - 1) % capacity;
    outcomes_[newest_] = taken;
  }

 private:
  std::array<bool, capacity> outcomes_ = {};
  std::size_t newest_ = 0;
};

// Splits a value into words of `width` bits, and returns the exclusive or of these words. `width`
// must be from 1 to 63.
constexpr std::uint64_t folded(std::uint64_t value, unsigned width) {
  std::uint64_t sum = 0;
  for (; value != 0; value >>= width) sum ^= value;
  return sum & ((std::uint64_t{1} << width) - 1);
}

// Last `length` outcomes, folded into `width` bits. Each outcome updates the value incrementally.
class folded_history {
 public:
  folded_history(unsigned length, unsigned width)
      : length_(length), width_(width), leaves_(length % width) {}

  [[nodiscard]] std::uint64_t value() const { return fold_; }
  // Adds the newest outcome, which must already be in `all`.
  void push(const outcome_history& all) {
    fold_ = fold_ << 1 | (all[0] ? 1U : 0U);
    fold_ ^= std::uint64_t{all[length_]} << leaves_;
    fold_ = (fold_ ^ fold_ >> width_) & ((std::uint64_t{1} << width_) - 1);
  }

 private:
  unsigned length_, width_;
  unsigned leaves_;  // bit at which the oldest outcome is removed
  std::uint64_t fold_ = 0;
};

}  // namespace frontend
