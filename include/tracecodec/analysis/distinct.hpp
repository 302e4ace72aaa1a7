// Counts distinct numbers in bounded memory. Counts are exact up to a limit, and estimated above
// this limit.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../io/hash.hpp"
#include "../wire/types/bytes.hpp"

namespace tracecodec::analysis {

// Counter of distinct numbers. It uses 16 to 32 bytes per number for up to `Limit` numbers, and 16
// KiB for more numbers. Counts above `Limit` are estimated with the HyperLogLog algorithm (Flajolet
// and others, 2007). The estimate's standard error is 0.81% of the count, so the estimate is within
// 2.5% of the count for 499 of 500 sets. Numbers chosen to collide in the table cause an earlier
// switch to the estimate, which can then be wrong.
template <std::size_t Limit = std::size_t{1} << 18> class distinct {
  static constexpr std::size_t registers = std::size_t{1} << 14;
  // Maximum number of occupied slots to examine in a search. A search examines only a few dozen
  // slots, unless the numbers were chosen to collide.
  static constexpr std::size_t longest_run = 1024;
  // With a lower limit, the uncorrected estimate would be biased.
  static_assert(Limit >= 4 * registers);

 public:
  static constexpr double standard_error = 0.0081;  // relative error of count() if exact() is false

  // Adds a number, and returns true if the count has changed.
  TRACECODEC_INLINE bool insert(std::uint64_t v) {
    // Consecutive numbers in a trace are often equal.
    if (v == last_ && any_) return false;
    return insert_other(v);
  }
  [[nodiscard]] bool exact() const noexcept { return exact_; }
  [[nodiscard]] std::uint64_t count() const noexcept {
    if (exact_) return used_ + zero_;
    constexpr double m = registers, alpha = 0.7213 / (1 + 1.079 / m);
    return static_cast<std::uint64_t>(alpha * m * m / sum_ + 0.5);
  }

 private:
  bool insert_other(std::uint64_t v) {
    last_ = v;
    any_ = true;
    const std::uint64_t hash = io::mixed(v);
    return exact_ ? keep(v, hash) : estimate(hash);
  }
  bool keep(std::uint64_t v, std::uint64_t hash) {
    // The number 0 has no slot, because 0 marks a free slot.
    if (v == 0) return !zero_ && (zero_ = true);
    if (2 * used_ >= slots_.size()) grow();
    std::size_t run = 0;
    std::uint64_t& slot = find(v, hash, run);
    if (slot == v) return false;
    // A long search also ends exact counting. Otherwise, numbers chosen to collide would take
    // quadratic time.
    if (used_ + zero_ == Limit || run > longest_run) {
      give_up();
      estimate(hash);
      return true;
    }
    slot = v;
    ++used_;
    return true;
  }
  // Returns the slot that contains `v`, or the free slot where `v` belongs. A free slot always
  // exists, because at most half of the slots are occupied. Increases `run` by the number of other
  // slots examined.
  std::uint64_t& find(std::uint64_t v, std::uint64_t hash, std::size_t& run) {
    const std::size_t mask = slots_.size() - 1;
    auto i = static_cast<std::size_t>(hash) & mask;
    for (; slots_[i] != 0 && slots_[i] != v; ++run) i = (i + 1) & mask;
    return slots_[i];
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(1024, 2 * slots_.size()));
    old.swap(slots_);
    std::size_t run = 0;
    for (const std::uint64_t v : old)
      if (v != 0) find(v, io::mixed(v), run) = v;
  }
  // Switches from exact counting to the estimate.
  void give_up() {
    exact_ = false;
    ranks_.assign(registers, 0);
    sum_ = registers;
    if (zero_) estimate(io::mixed(0));
    for (const std::uint64_t v : slots_)
      if (v != 0) estimate(io::mixed(v));
    slots_ = {};
  }
  // Returns the fraction of hashes that have this rank: 2 to the power of -rank.
  static constexpr double share_of(std::uint8_t rank) noexcept {
    return 1.0 / static_cast<double>(std::uint64_t{1} << rank);
  }
  // Updates the estimate. Each register stores the longest run of leading zeros among its
  // hashes, plus 1.
  bool estimate(std::uint64_t hash) {
    std::uint8_t& rank = ranks_[static_cast<std::size_t>(hash % registers)];
    const auto seen = static_cast<std::uint8_t>(std::countl_zero(hash | (registers - 1)) + 1);
    if (seen <= rank) return false;
    sum_ += share_of(seen) - share_of(rank);
    rank = seen;
    return true;
  }

  std::vector<std::uint64_t> slots_ = {};
  std::uint64_t used_ = 0, last_ = 0;
  bool zero_ = false, any_ = false, exact_ = true;
  std::vector<std::uint8_t> ranks_ = {};
  double sum_ = 0;  // sum of 2^-rank over all registers
};

}  // namespace tracecodec::analysis
