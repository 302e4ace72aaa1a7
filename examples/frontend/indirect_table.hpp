// Targets of indirect jumps and calls, by address and the outcomes of the last 12 conditional
// branches.
#pragma once
#include <array>
#include <cstdint>

namespace frontend {

class indirect_table {
 public:
  [[nodiscard]] std::uint64_t predict(std::uint64_t ip) const { return targets_[index(ip)]; }
  void jumped(std::uint64_t ip, std::uint64_t target) { targets_[index(ip)] = target; }
  void conditional(bool taken) { history_ = (history_ << 1 | (taken ? 1U : 0U)) & mask; }

 private:
  static constexpr std::uint64_t mask = 0xFFF;
  [[nodiscard]] std::size_t index(std::uint64_t ip) const {
    return static_cast<std::size_t>((ip >> 2 ^ history_) & mask);
  }
  std::array<std::uint64_t, mask + 1> targets_ = {};
  std::uint64_t history_ = 0;  // newest outcome in bit 0
};

}  // namespace frontend
