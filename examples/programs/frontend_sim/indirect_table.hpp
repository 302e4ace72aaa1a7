// Table of the targets of indirect jumps and calls. The branch's address and the outcomes of the
// most recent conditional branches select an entry. The number of outcomes is the number of bits in
// an index.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace frontend {

class indirect_table {
 public:
  // Creates a table of `size` targets. `size` must be a power of two.
  explicit indirect_table(std::size_t size) : mask_(size - 1), targets_(size) {}

  [[nodiscard]] std::uint64_t predict(std::uint64_t ip) const { return targets_[index(ip)]; }
  void jumped(std::uint64_t ip, std::uint64_t target) { targets_[index(ip)] = target; }
  void conditional(bool taken) { history_ = (history_ << 1 | (taken ? 1U : 0U)) & mask_; }

 private:
  [[nodiscard]] std::size_t index(std::uint64_t ip) const {
    return static_cast<std::size_t>((ip >> 2 ^ history_) & mask_);
  }
  std::uint64_t mask_;
  std::vector<std::uint64_t> targets_;
  std::uint64_t history_ = 0;  // history of outcomes; the newest is in bit 0
};

}  // namespace frontend
