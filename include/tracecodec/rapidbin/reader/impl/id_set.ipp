#pragma once
#include "../id_set.hpp"

#include <algorithm>
#include <utility>

#include "../../../io/hash.hpp"

namespace tracecodec::rapidbin {

// In an array where an id stands at its hash, or at the next place that is free.
struct id_set::other_ids {
  static constexpr std::uint64_t none = 0;  // no such id is so small

  std::vector<std::uint64_t> places = std::vector<std::uint64_t>(16, none);
  std::size_t taken = 0;  // at most three quarters of them

  // Where `id` is or would be.
  [[nodiscard]] std::size_t place_of(std::uint64_t id) const {
    const std::size_t mask = places.size() - 1;
    std::size_t at = io::keyed_hash()(id) & mask;
    while (places[at] != none && places[at] != id) at = (at + 1) & mask;
    return at;
  }
  [[nodiscard]] bool contains(std::uint64_t id) const { return places[place_of(id)] == id; }
  bool insert(std::uint64_t id) {
    std::size_t at = place_of(id);
    if (places[at] == id) return false;
    if (taken >= places.size() / 4 * 3) {
      const auto before = std::exchange(places, std::vector<std::uint64_t>(2 * places.size(), none));
      for (const std::uint64_t other : before)
        if (other != none) places[place_of(other)] = other;
      at = place_of(id);
    }
    places[at] = id;
    ++taken;
    return true;
  }
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

TRACECODEC_FUNC void id_set::grow(std::vector<std::uint64_t>& part, std::size_t word) {
  part.resize(std::min<std::size_t>(word + word / 2 + 1, part_size / 64));
}
TRACECODEC_FUNC bool id_set::insert_other(std::uint64_t id) {
  if (!others_) others_ = io::make_owned<other_ids>();
  const bool is_new = others_->insert(id);
  size_ += is_new;
  return is_new;
}
TRACECODEC_FUNC bool id_set::contains_other(std::uint64_t id) const {
  return others_ && others_->contains(id);
}

}  // namespace tracecodec::rapidbin
