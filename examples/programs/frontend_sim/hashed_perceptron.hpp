// Hashed perceptron: each table provides a weight for the branch and a stretch of history. The sign
// of the sum of weights determines the prediction. The tables, history lengths and training match
// ChampSim's predictor.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "history.hpp"
#include "sizes.hpp"

namespace frontend {

// Direction predictor with the policy interface of direction.hpp.
class hashed_perceptron {
 public:
  static constexpr const char* name = "hashed-perceptron";
  static constexpr std::size_t default_size = 4096;
  // Creates tables of `size` weights each. `size` must be a power of two and at least 2.
  explicit hashed_perceptron(std::size_t size = default_size)
      : size_(size), weights_(count * size) {
    for (const unsigned length : lengths) histories_.emplace_back(length, bits_of_index(size));
  }

  bool predict(std::uint64_t ip) {
    sum_ = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const std::uint64_t index = (histories_[t].value() ^ ip) & (size_ - 1);
      chosen_[t] = t * size_ + static_cast<std::size_t>(index);
      sum_ += weights_[chosen_[t]];
    }
    return sum_ >= 1;
  }

  void update(std::uint64_t /*ip*/, bool taken) {
    const bool right = (sum_ >= 1) == taken;
    if (!right || std::abs(sum_) < threshold_) {
      for (const std::size_t w : chosen_) train(weights_[w], taken);
      adapt(right);
    }
    outcomes_.push(taken);
    for (std::size_t t = 1; t < count; ++t) histories_[t].push(outcomes_);
  }

 private:
  // Number of outcomes that each table considers. The numbers form roughly a geometric series. The
  // first table contains the biases.
  static constexpr std::array<unsigned, 16> lengths{0,  3,  4,  6,  8,  10,  14,  19,
                                                    26, 36, 49, 67, 91, 125, 170, 232};
  static constexpr std::size_t count = lengths.size();
  static constexpr int patience = 18;

  static void train(std::int8_t& weight, bool up) {
    weight = static_cast<std::int8_t>(std::clamp(weight + (up ? 1 : -1), -128, 127));
  }
  // Adapts the threshold. Sums below the threshold are trained even if the prediction was right. A
  // misprediction raises the threshold, and a right but weak prediction lowers it. As a result,
  // mispredictions and weak predictions become about equally frequent.
  void adapt(bool right) {
    balance_ += right ? -1 : 1;
    if (std::abs(balance_) < patience) return;
    threshold_ += balance_ > 0 ? 1 : -1;
    balance_ = 0;
  }

  std::size_t size_;
  // Weights of all tables, one table after another.
  std::vector<std::int8_t> weights_;
  std::vector<folded_history> histories_ = {};
  outcome_history outcomes_ = {};
  // Indices in weights_ that the last call of predict() used.
  std::array<std::size_t, count> chosen_ = {};
  int sum_ = 0;
  int threshold_ = 10, balance_ = 0;
};

}  // namespace frontend
