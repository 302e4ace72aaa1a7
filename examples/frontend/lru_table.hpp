// A set-associative table with least-recently-used replacement: the branch target buffer and the
// instruction cache are both one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace frontend {

// Keys are below 2^64 - 1. The ways of a set stand in order of use, the latest first.
template <class Value, std::size_t Sets, std::size_t Ways> class lru_table {
 public:
  // The value of `key`, which becomes the latest used of its set; nullptr if it is not there.
  Value* find(std::uint64_t key) {
    set& s = sets_[key % Sets];
    for (std::size_t w = 0; w < Ways; ++w)
      if (s.keys[w] == key) return &to_front(s, w);
    return nullptr;
  }
  // Puts `key`, which is not there, in the place of its set's least recently used one.
  void insert(std::uint64_t key, const Value& value) {
    set& s = sets_[key % Sets];
    to_front(s, Ways - 1) = value;
    s.keys[0] = key;
  }

 private:
  struct set {
    std::array<std::uint64_t, Ways> keys;
    std::array<Value, Ways> values;
  };
  static constexpr set empty_set() {
    set s{};
    s.keys.fill(~std::uint64_t{0});
    return s;
  }
  static Value& to_front(set& s, std::size_t way) {
    if (way != 0) {
      const std::uint64_t key = s.keys[way];
      const Value value = s.values[way];
      for (; way != 0; --way) {
        s.keys[way] = s.keys[way - 1];
        s.values[way] = s.values[way - 1];
      }
      s.keys[0] = key;
      s.values[0] = value;
    }
    return s.values[0];
  }
  std::vector<set> sets_ = std::vector<set>(Sets, empty_set());
};

}  // namespace frontend
