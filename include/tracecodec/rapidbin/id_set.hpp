// Sets of ids: few and small in a sound trace, anything in a hostile one.
#pragma once
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracecodec::rapidbin {

// Memory: a bit for each id below 4 Mi, up to the largest, and some 20 bytes for each other one.
class id_set {
 public:
  // Whether `id` is new.
  bool insert(std::uint64_t id) {
    if (id >= dense_limit) return others_.insert(id).second;
    const std::size_t word = static_cast<std::size_t>(id / 64);
    if (word >= bits_.size()) bits_.resize(word + word / 2 + 1);
    const std::uint64_t bit = std::uint64_t{1} << id % 64;
    const bool is_new = (bits_[word] & bit) == 0;
    bits_[word] |= bit;
    dense_ += is_new;
    return is_new;
  }
  [[nodiscard]] bool contains(std::uint64_t id) const {
    if (id >= dense_limit) return others_.contains(id);
    const std::size_t word = static_cast<std::size_t>(id / 64);
    return word < bits_.size() && (bits_[word] >> id % 64 & 1) != 0;
  }
  [[nodiscard]] std::size_t size() const { return dense_ + others_.size(); }

 private:
  static constexpr std::uint64_t dense_limit = std::uint64_t{1} << 22;
  std::vector<std::uint64_t> bits_ = {};
  std::size_t dense_ = 0;
  boost::unordered_flat_set<std::uint64_t> others_ = {};
};

}  // namespace tracecodec::rapidbin
