// Direction predictors. A predictor is a policy with the functions bool predict(ip) and void
// update(ip, taken). update() receives the outcome of the branch that was predicted last. The
// predictors have the same indices, thresholds and default sizes as ChampSim's predictors of the
// same names.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sizes.hpp"

namespace frontend {

// Table of 2-bit saturating counters that start at 0.
class counter_table {
 public:
  explicit counter_table(std::size_t size) : counters_(size) {}
  [[nodiscard]] unsigned operator[](std::size_t i) const { return counters_[i]; }
  void train(std::size_t i, bool up) {
    std::uint8_t& c = counters_[i];
    if (up ? c < 3 : c > 0) c = static_cast<std::uint8_t>(up ? c + 1 : c - 1);
  }

 private:
  std::vector<std::uint8_t> counters_;
};

// Predictor that selects a counter by the branch's address.
class bimodal {
 public:
  static constexpr const char* name = "bimodal";
  static constexpr std::size_t default_size = 16384;
  // Creates a table of `size` counters. `size` must be at least 3.
  explicit bimodal(std::size_t size = default_size)
      : prime_(largest_prime_below(size)), counters_(size) {}

  [[nodiscard]] bool predict(std::uint64_t ip) const { return counters_[index(ip)] >= 2; }
  void update(std::uint64_t ip, bool taken) { counters_.train(index(ip), taken); }

 private:
  static constexpr std::size_t largest_prime_below(std::size_t n) {
    const auto is_prime = [](std::size_t p) {
      for (std::size_t d = 2; d * d <= p; ++d)
        if (p % d == 0) return false;
      return true;
    };
    do --n;
    while (!is_prime(n));
    return n;
  }
  [[nodiscard]] std::size_t index(std::uint64_t ip) const {
    // Division by a constant is several times as fast as division by a variable. Therefore treat
    // the default size separately.
    constexpr std::size_t usual = largest_prime_below(default_size);
    return static_cast<std::size_t>(prime_ == usual ? ip % usual : ip % prime_);
  }
  std::size_t prime_;
  counter_table counters_;
};

// Predictor that selects a counter by the branch's address and the most recent outcomes. The number
// of outcomes is the number of bits in an index.
class gshare {
 public:
  static constexpr const char* name = "gshare";
  static constexpr std::size_t default_size = 16384;
  // Creates a table of `size` counters. `size` must be a power of two and at least 2.
  explicit gshare(std::size_t size = default_size)
      : bits_(bits_of_index(size)), mask_(size - 1), counters_(size) {}

  // Predicts taken if the counter is at least 1. (In bimodal, the threshold is 2.)
  [[nodiscard]] bool predict(std::uint64_t ip) const { return counters_[index(ip)] >= 1; }
  void update(std::uint64_t ip, bool taken) {
    counters_.train(index(ip), taken);
    history_ = (history_ << 1 | (taken ? 1U : 0U)) & mask_;
  }

 private:
  [[nodiscard]] std::size_t index(std::uint64_t ip) const {
    const std::uint64_t folded = ip ^ ip >> bits_ ^ ip >> 2 * bits_;
    return static_cast<std::size_t>((folded ^ history_) & mask_);
  }
  unsigned bits_;
  std::uint64_t mask_;
  counter_table counters_;
  std::uint64_t history_ = 0;  // history of outcomes; the newest is in bit 0
};

// Predictor that predicts every branch as taken. It is a baseline that any other predictor should
// beat.
class always_taken {
 public:
  static constexpr const char* name = "always-taken";
  // Default size of the tables; 0, because this predictor has none.
  static constexpr std::size_t default_size = 0;
  explicit always_taken(std::size_t = default_size) {}
  [[nodiscard]] static bool predict(std::uint64_t) { return true; }
  static void update(std::uint64_t, bool) {}
};

}  // namespace frontend
