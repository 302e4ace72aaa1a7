// Set of ids. The ids of a sound trace are few and small, but a malicious trace may contain any
// ids.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../../io/hash.hpp"

namespace tracecodec::rapidbin {

// Set of ids. Ids below 4 Mi are stored in blocks of 64 Ki bits, and each block grows only up to
// its largest id. Each id of 4 Mi or more needs about 45 bytes.
class id_set {
 public:
  id_set();
  id_set(const id_set& other);
  id_set(id_set&& other) noexcept;
  id_set& operator=(const id_set& other);
  id_set& operator=(id_set&& other) noexcept;
  ~id_set();

  // Inserts `id`. Returns true if `id` was not in the set.
  bool insert(std::uint64_t id) {
    if (id >= dense_limit) [[unlikely]]
      return insert_other(id);
    auto& part = parts_[static_cast<std::size_t>(id / part_size)];
    const std::size_t word = word_of(id);
    if (word >= part.size()) [[unlikely]]
      grow(part, word);
    const std::uint64_t bit = std::uint64_t{1} << id % 64;
    const bool is_new = (part[word] & bit) == 0;
    part[word] |= bit;
    size_ += is_new;
    return is_new;
  }
  [[nodiscard]] bool contains(std::uint64_t id) const {
    if (id >= dense_limit) [[unlikely]]
      return contains_other(id);
    const auto& part = parts_[static_cast<std::size_t>(id / part_size)];
    return word_of(id) < part.size() && (part[word_of(id)] >> id % 64 & 1) != 0;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Calls f(id) for each id, in unspecified order.
  void for_each(const std::function<void(std::uint64_t)>& f) const;

 private:
  struct other_ids;

  static constexpr std::uint64_t dense_limit = std::uint64_t{1} << 22, part_size = 65536;
  static std::size_t word_of(std::uint64_t id) {
    return static_cast<std::size_t>(id % part_size / 64);
  }
  // Grows `part` to include the word at index `word`.
  static void grow(std::vector<std::uint64_t>& part, std::size_t word);
  bool insert_other(std::uint64_t id);
  [[nodiscard]] bool contains_other(std::uint64_t id) const;

  std::array<std::vector<std::uint64_t>, dense_limit / part_size> parts_ = {};
  std::size_t size_ = 0;
  std::unique_ptr<other_ids> others_;  // ids of at least dense_limit; null if there are none
};

struct id_set::other_ids {
  std::unordered_set<std::uint64_t, io::keyed_hash> all = {};
};

inline id_set::id_set() = default;
inline id_set::id_set(const id_set& other)
    : parts_(other.parts_),
      size_(other.size_),
      others_(other.others_ ? new other_ids(*other.others_) : nullptr) {}
inline id_set::id_set(id_set&& other) noexcept
    : parts_(std::exchange(other.parts_, {})),
      size_(std::exchange(other.size_, 0)),
      others_(std::move(other.others_)) {}
inline id_set& id_set::operator=(const id_set& other) { return *this = id_set(other); }
inline id_set& id_set::operator=(id_set&& other) noexcept {
  parts_ = std::exchange(other.parts_, {});
  size_ = std::exchange(other.size_, 0);
  others_ = std::move(other.others_);
  return *this;
}
inline id_set::~id_set() = default;

inline void id_set::for_each(const std::function<void(std::uint64_t)>& f) const {
  for (std::size_t p = 0; p != parts_.size(); ++p)
    for (std::size_t bit = 0; bit != 64 * parts_[p].size(); ++bit)
      if ((parts_[p][bit / 64] >> bit % 64 & 1) != 0) f(p * part_size + bit);
  if (others_)
    for (const std::uint64_t id : others_->all) f(id);
}

inline void id_set::grow(std::vector<std::uint64_t>& part, std::size_t word) {
  part.resize(std::min<std::size_t>(word + word / 2 + 1, part_size / 64));
}
inline bool id_set::insert_other(std::uint64_t id) {
  if (!others_) others_ = std::make_unique<other_ids>();
  const bool is_new = others_->all.insert(id).second;
  size_ += is_new;
  return is_new;
}
inline bool id_set::contains_other(std::uint64_t id) const {
  return others_ && others_->all.contains(id);
}

}  // namespace tracecodec::rapidbin
