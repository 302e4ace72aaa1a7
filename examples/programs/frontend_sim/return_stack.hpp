// Predicts return addresses. A return goes to the instruction after the latest call that has not
// returned yet. Traces do not store the length of a call instruction, so the predictor learns the
// length from earlier returns.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace frontend {

class return_stack {
 public:
  // Creates a stack for up to `size` calls. `size` must be at least 1.
  explicit return_stack(std::size_t size) : calls_(size) { call_sizes_.fill(4); }

  // Returns the predicted return address, or 0 if the stack is empty.
  [[nodiscard]] std::uint64_t predict() const {
    return depth_ == 0 ? 0 : top() + call_sizes_[slot(top())];
  }
  // Pushes a call. If the stack is full, the oldest call is lost.
  void call(std::uint64_t ip) {
    newest_ = newest_ + 1 == calls_.size() ? 0 : newest_ + 1;
    calls_[newest_] = ip;
    if (depth_ < calls_.size()) ++depth_;
  }
  void return_to(std::uint64_t target) {
    if (depth_ == 0) return;
    const std::uint64_t ip = top();
    const std::uint64_t distance = ip > target ? ip - target : target - ip;
    if (distance <= largest_call) call_sizes_[slot(ip)] = distance;
    newest_ = (newest_ == 0 ? calls_.size() : newest_) - 1;
    --depth_;
  }

 private:
  static constexpr std::size_t sizes = 1024;
  // Maximum size of a call instruction in bytes. A return that is farther from the call does not
  // update the learnt size.
  static constexpr std::uint64_t largest_call = 10;
  [[nodiscard]] std::uint64_t top() const { return calls_[newest_]; }
  // Returns the index in call_sizes_ for the call at `ip`.
  static std::size_t slot(std::uint64_t ip) { return static_cast<std::size_t>(ip % sizes); }
  std::vector<std::uint64_t> calls_;
  std::array<std::uint64_t, sizes> call_sizes_;
  std::size_t newest_ = 0, depth_ = 0;
};

}  // namespace frontend
