// Direction predictors, as policies: bool predict(ip) const and void update(ip, taken).
// Sizes, indices and thresholds are those of ChampSim's predictors of the same names.
#pragma once
#include <array>
#include <cstdint>

namespace frontend {

// 2-bit saturating counters, from 0.
template <std::size_t Size> class counter_table {
 public:
  [[nodiscard]] unsigned operator[](std::size_t i) const { return counters_[i]; }
  void train(std::size_t i, bool up) {
    std::uint8_t& c = counters_[i];
    if (up ? c < 3 : c > 0) c = static_cast<std::uint8_t>(up ? c + 1 : c - 1);
  }

 private:
  std::array<std::uint8_t, Size> counters_ = {};
};

// One counter for each branch, by its address.
class bimodal {
 public:
  static constexpr const char* name = "bimodal";
  [[nodiscard]] bool predict(std::uint64_t ip) const { return counters_[index(ip)] >= 2; }
  void update(std::uint64_t ip, bool taken) { counters_.train(index(ip), taken); }

 private:
  // The largest prime below the table's size.
  static std::size_t index(std::uint64_t ip) { return static_cast<std::size_t>(ip % 16381); }
  counter_table<16384> counters_ = {};
};

// Counters shared by address and the last 14 outcomes.
class gshare {
 public:
  static constexpr const char* name = "gshare";
  // 1, not 2: a counter that saw one more taken than not predicts taken.
  [[nodiscard]] bool predict(std::uint64_t ip) const { return counters_[index(ip)] >= 1; }
  void update(std::uint64_t ip, bool taken) {
    counters_.train(index(ip), taken);
    history_ = (history_ << 1 | (taken ? 1U : 0U)) & mask;
  }

 private:
  static constexpr std::uint64_t bits = 14, mask = (1U << bits) - 1;
  [[nodiscard]] std::size_t index(std::uint64_t ip) const {
    const std::uint64_t folded = ip ^ ip >> bits ^ ip >> 2 * bits;
    return static_cast<std::size_t>((folded ^ history_) & mask);
  }
  counter_table<mask + 1> counters_ = {};
  std::uint64_t history_ = 0;  // newest outcome in bit 0
};

// The baseline any predictor should beat.
class always_taken {
 public:
  static constexpr const char* name = "always-taken";
  [[nodiscard]] static bool predict(std::uint64_t) { return true; }
  static void update(std::uint64_t, bool) {}
};

}  // namespace frontend
