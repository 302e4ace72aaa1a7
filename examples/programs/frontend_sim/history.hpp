// Outcomes of past branches, and long stretches of them folded into a few bits. They are for
// predictors whose tables consider more outcomes than an index has bits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace frontend {

// History of the last 512 outcomes. Outcomes before the first branch are not taken.
class outcome_history {
 public:
  static constexpr std::size_t capacity = 512;
  // Returns the outcome of age `age`; age 0 is the newest outcome.
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

// Returns the exclusive or of the `width`-bit words of which a value consists. `width` is 1 to 63.
constexpr std::uint64_t folded(std::uint64_t value, unsigned width) {
  std::uint64_t sum = 0;
  for (; value != 0; value >>= width) sum ^= value;
  return sum & ((std::uint64_t{1} << width) - 1);
}

// Last `length` outcomes, folded into `width` bits. The value is updated incrementally rather than
// recomputed for each branch.
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
