// Set-associative table with least-recently-used replacement, for the branch target buffer and
// the instruction cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace frontend {

// Table whose keys must be less than 2^64 - 1. In each set, the most recently used way comes first.
template <class Value> class lru_table {
 public:
  // Creates an empty table. `sets` must be a power of two, and `ways` at least 1.
  lru_table(std::size_t sets, std::size_t ways)
      : mask_(sets - 1), ways_(ways), keys_(sets * ways, ~std::uint64_t{0}), values_(sets * ways) {}

  // Returns the value of `key` and makes `key` the most recently used key of its set. Returns
  // nullptr if `key` is absent.
  Value* find(std::uint64_t key) {
    // Treat the usual number of ways separately, because the compiler can unroll a search with a
    // constant number of ways.
    return ways_ == 8 ? find_among(key, std::integral_constant<std::size_t, 8>{})
                      : find_among(key, ways_);
  }
  // Inserts `key`, which must be absent. The new key replaces the least recently used key of its
  // set.
  void insert(std::uint64_t key, const Value& value) {
    const std::size_t first = first_of(key);
    to_front(first, ways_ - 1) = value;
    keys_[first] = key;
  }

 private:
  template <class Ways> Value* find_among(std::uint64_t key, Ways ways) {
    const std::size_t first = static_cast<std::size_t>(key) & mask_;
    const std::uint64_t* const keys = &keys_[first * ways];
    for (std::size_t w = 0; w < ways; ++w)
      if (keys[w] == key) return &to_front(first * ways, w);
    return nullptr;
  }
  // Returns the index of the first way in the set for `key`.
  [[nodiscard]] std::size_t first_of(std::uint64_t key) const {
    return (static_cast<std::size_t>(key) & mask_) * ways_;
  }
  Value& to_front(std::size_t first, std::size_t way) {
    if (way != 0) {
      const std::uint64_t key = keys_[first + way];
      const Value value = values_[first + way];
      for (std::size_t at = first + way; at != first; --at) {
        keys_[at] = keys_[at - 1];
        values_[at] = values_[at - 1];
      }
      keys_[first] = key;
      values_[first] = value;
    }
    return values_[first];
  }
  std::size_t mask_, ways_;
  std::vector<std::uint64_t> keys_;
  std::vector<Value> values_;
};

}  // namespace frontend
