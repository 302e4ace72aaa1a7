// Finds the most frequent numbers of a long sequence in bounded memory.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../io/hash.hpp"

namespace tracecodec::analysis {

struct nothing {};

// Counter of numbers that also stores a `Data` for each number. Counts are exact while there are at
// most `capacity` different numbers. If there are more numbers, the counter forgets the numbers
// with counts up to the median, and subtracts the median from the other counts. This is the
// algorithm of Misra and Gries (1982), with many steps combined.
//
// Counts can be too low by up to error(), but are never too high. Forgotten numbers occurred at
// most error() times. error() is at most 2 / capacity of the total count. The counter uses one
// entry and 8 bytes of memory for each of `capacity` numbers.
template <class Data = nothing> class frequent {
 public:
  struct entry {
    std::uint64_t key = 0, count = 0;
    Data data = {};
  };

  // Creates a counter that stores up to `capacity` numbers. A capacity below 2 becomes 2.
  explicit frequent(std::size_t capacity)
      : capacity_(std::max<std::size_t>(2, capacity)), slots_(std::bit_ceil(2 * capacity_)) {
    entries_.reserve(capacity_);
  }

  // Returns the entry for `key`, and creates it with count 0 if it does not exist. The caller must
  // increase the count. The reference is valid until the next call. Does not allocate.
  [[nodiscard]] entry& operator[](std::uint64_t key) {
    if (last_ < entries_.size() && entries_[last_].key == key) return entries_[last_];
    std::uint32_t* slot = &find(key);
    if (*slot == 0) {
      if (entries_.size() == capacity_) {
        forget();
        slot = &find(key);
      }
      entries_.push_back({key, 0, {}});
      *slot = static_cast<std::uint32_t>(entries_.size());
    }
    last_ = *slot - 1;
    return entries_[last_];
  }

  // Returns the maximum error of a count, or 0 if all counts are exact and no numbers were
  // forgotten.
  [[nodiscard]] std::uint64_t error() const noexcept { return error_; }
  // Returns all entries in no particular order.
  [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }
  // Returns the `n` entries with the highest counts, in descending order. Entries with equal counts
  // are ordered by key.
  [[nodiscard]] std::vector<const entry*> top(std::size_t n) const {
    std::vector<const entry*> all;
    for (const entry& e : entries_) all.push_back(&e);
    const auto before = [](const entry* a, const entry* b) {
      return a->count != b->count ? a->count > b->count : a->key < b->key;
    };
    n = std::min(n, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end(), before);
    all.resize(n);
    return all;
  }

 private:
  // Returns the slot of `key`, which contains 1 plus the index of `key` in entries_, or the free
  // slot where `key` belongs. At most half of the slots are occupied.
  std::uint32_t& find(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    auto i = io::keyed_hash()(key) & mask;
    while (slots_[i] != 0 && entries_[slots_[i] - 1].key != key) i = (i + 1) & mask;
    return slots_[i];
  }
  void forget() {
    counts_.clear();
    for (const entry& e : entries_) counts_.push_back(e.count);
    const auto middle = counts_.begin() + static_cast<std::ptrdiff_t>(counts_.size() / 2);
    std::nth_element(counts_.begin(), middle, counts_.end());
    const std::uint64_t median = *middle;
    error_ += median;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].count <= median) continue;
      entries_[i].count -= median;
      if (kept != i) entries_[kept] = std::move(entries_[i]);
      ++kept;
    }
    entries_.resize(kept);
    std::fill(slots_.begin(), slots_.end(), 0U);
    for (std::size_t i = 0; i < kept; ++i)
      find(entries_[i].key) = static_cast<std::uint32_t>(i + 1);
    last_ = capacity_;
  }

  std::size_t capacity_, last_ = 0;
  std::vector<std::uint32_t> slots_;
  std::vector<entry> entries_ = {};
  std::vector<std::uint64_t> counts_ = {};  // scratch space of forget()
  std::uint64_t error_ = 0;
};

}  // namespace tracecodec::analysis
