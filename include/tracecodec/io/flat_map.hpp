// A table of keys and their values to which is only added. boost::unordered_flat_map is the same and more,
// but its headers cost a compiler half as much again as the standard library's that a program has anyway.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "hash.hpp"

namespace tracecodec::io {

// Memory for each entry: its own size and 4 bytes, one and a third to two and two thirds times.
template <class Key, class Value, class Hash = keyed_hash> class flat_map {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // The value of `key`, which is `value` if it had none; and whether it had none. Valid until another key
  // is added.
  std::pair<Value*, bool> add(const Key& key, const Value& value) {
    const std::size_t hash = Hash()(key);
    if (places_.empty()) grow();
    place* at = &place_of(key, hash);
    if (at->tag != 0) return {&at->value, false};
    if (size_ >= places_.size() / 4 * 3) {
      grow();
      at = &place_of(key, hash);
    }
    ++size_;
    *at = {tag_of(hash), key, value};
    return {&at->value, true};
  }

  // nullptr: it has none.
  [[nodiscard]] Value* find(const Key& key) {
    if (places_.empty()) return nullptr;
    place& at = place_of(key, Hash()(key));
    return at.tag == 0 ? nullptr : &at.value;
  }
  [[nodiscard]] const Value* find(const Key& key) const {
    return const_cast<flat_map*>(this)->find(key);
  }

  // Calls f(key, value) for each, in no order.
  template <class F> void for_each(F&& f) const {
    for (const place& p : places_)
      if (p.tag != 0) f(p.key, p.value);
  }

 private:
  struct place {
    std::uint32_t tag = 0;  // of the hash; 0: free
    Key key = {};
    Value value = {};
  };

  // Other bits than those that say where.
  static std::uint32_t tag_of(std::size_t hash) noexcept {
    return static_cast<std::uint32_t>(hash >> (std::numeric_limits<std::size_t>::digits / 2)) | 1U;
  }

  // Where `key` is, or would be.
  place& place_of(const Key& key, std::size_t hash) noexcept {
    const std::uint32_t tag = tag_of(hash);
    const std::size_t mask = places_.size() - 1;
    for (std::size_t i = hash;; ++i) {
      place& p = places_[i & mask];
      if (p.tag == 0 || (p.tag == tag && p.key == key)) return p;
    }
  }
  void grow() {
    std::vector<place> before(places_.empty() ? 16 : 2 * places_.size());
    before.swap(places_);
    for (place& p : before)
      if (p.tag != 0) place_of(p.key, Hash()(p.key)) = std::move(p);
  }

  std::vector<place> places_ = {};  // a power of two, at most three quarters of them taken
  std::size_t size_ = 0;
};

}  // namespace tracecodec::io
