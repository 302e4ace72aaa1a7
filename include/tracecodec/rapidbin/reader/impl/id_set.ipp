#pragma once
#include "../id_set.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>

#include "../../../io/hash.hpp"

namespace tracecodec::rapidbin {

struct id_set::other_ids {
  std::unordered_set<std::uint64_t, io::keyed_hash> all = {};
};

TRACECODEC_FUNC id_set::id_set() = default;
TRACECODEC_FUNC id_set::id_set(const id_set& other)
    : parts_(other.parts_),
      size_(other.size_),
      others_(other.others_ ? new other_ids(*other.others_) : nullptr) {}
TRACECODEC_FUNC id_set::id_set(id_set&& other) noexcept
    : parts_(std::exchange(other.parts_, {})),
      size_(std::exchange(other.size_, 0)),
      others_(std::move(other.others_)) {}
TRACECODEC_FUNC id_set& id_set::operator=(const id_set& other) { return *this = id_set(other); }
TRACECODEC_FUNC id_set& id_set::operator=(id_set&& other) noexcept {
  parts_ = std::exchange(other.parts_, {});
  size_ = std::exchange(other.size_, 0);
  others_ = std::move(other.others_);
  return *this;
}
TRACECODEC_FUNC id_set::~id_set() = default;

TRACECODEC_FUNC void id_set::for_each(const std::function<void(std::uint64_t)>& f) const {
  for (std::size_t p = 0; p != parts_.size(); ++p)
    for (std::size_t bit = 0; bit != 64 * parts_[p].size(); ++bit)
      if ((parts_[p][bit / 64] >> bit % 64 & 1) != 0) f(p * part_size + bit);
  if (others_)
    for (const std::uint64_t id : others_->all) f(id);
}

TRACECODEC_FUNC void id_set::grow(std::vector<std::uint64_t>& part, std::size_t word) {
  part.resize(std::min<std::size_t>(word + word / 2 + 1, part_size / 64));
}
TRACECODEC_FUNC bool id_set::insert_other(std::uint64_t id) {
  if (!others_) others_ = std::make_unique<other_ids>();
  const bool is_new = others_->all.insert(id).second;
  size_ += is_new;
  return is_new;
}
TRACECODEC_FUNC bool id_set::contains_other(std::uint64_t id) const {
  return others_ && others_->all.contains(id);
}

}  // namespace tracecodec::rapidbin
