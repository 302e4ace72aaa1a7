// A table of keys and their values to which is only added. boost::unordered_flat_map is the same and more,
// but its headers cost a compiler half as much again as the standard library's that a program has anyway.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "hash.hpp"

namespace tracecodec::io {

// Its entries are in the order in which they were added. Memory for each: 11 to 22 bytes, and its own size
// once or twice.
template <class Key, class Value, class Hash = keyed_hash> class flat_map {
 public:
  struct entry {
    Key key;
    Value value;
  };

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }

  // The value of `key`, which is `value` if it had none; and whether it had none. Valid until another key
  // is added.
  std::pair<Value*, bool> add(const Key& key, const Value& value) {
    const std::size_t hash = Hash()(key);
    if (entry* const known = at(key, hash)) return {&known->value, false};
    if (entries_.size() >= places_.size() / 4 * 3) grow();
    entries_.push_back({key, value});
    free_place(hash) = {tag_of(hash), static_cast<std::uint32_t>(entries_.size())};
    return {&entries_.back().value, true};
  }

  // nullptr: it has none.
  [[nodiscard]] Value* find(const Key& key) {
    entry* const known = at(key, Hash()(key));
    return known == nullptr ? nullptr : &known->value;
  }
  [[nodiscard]] const Value* find(const Key& key) const {
    return const_cast<flat_map*>(this)->find(key);
  }

 private:
  struct place {
    std::uint32_t tag = 0;     // other bits of the hash than those that say where
    std::uint32_t number = 0;  // of the entry, from 1; 0: free
  };

  static std::uint32_t tag_of(std::size_t hash) noexcept {
    return static_cast<std::uint32_t>(hash >> (std::numeric_limits<std::size_t>::digits / 2));
  }

  entry* at(const Key& key, std::size_t hash) {
    if (places_.empty()) return nullptr;
    for (std::size_t i = hash;; ++i) {
      const place p = places_[i & (places_.size() - 1)];
      if (p.number == 0) return nullptr;
      if (p.tag == tag_of(hash) && entries_[p.number - 1].key == key)
        return &entries_[p.number - 1];
    }
  }
  place& free_place(std::size_t hash) {
    std::size_t i = hash;
    while (places_[i & (places_.size() - 1)].number != 0) ++i;
    return places_[i & (places_.size() - 1)];
  }
  void grow() {
    if (places_.size() > std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("too many keys");
    places_.assign(places_.empty() ? 16 : 2 * places_.size(), {});
    std::uint32_t number = 0;
    for (const entry& e : entries_) {
      const std::size_t hash = Hash()(e.key);
      free_place(hash) = {tag_of(hash), ++number};
    }
  }

  std::vector<entry> entries_ = {};
  std::vector<place> places_ = {};  // a power of two, at most three quarters of them taken
};

}  // namespace tracecodec::io
