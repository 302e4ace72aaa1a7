// Gives ids to names and to other ids: as they are written, or by first appearance.
#pragma once
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "../../io/hash.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

// Numbers from 0, in order of first appearance.
template <class Key, class Hash = io::keyed_hash> class numbering {
 public:
  std::uint64_t operator()(const Key& key) {
    return numbers_.try_emplace(key, size()).first->second;
  }
  // The number of `key`, if it has one.
  [[nodiscard]] std::optional<std::uint64_t> find(const Key& key) const {
    const auto at = numbers_.find(key);
    return at == numbers_.end() ? std::nullopt : std::optional(at->second);
  }
  [[nodiscard]] std::uint64_t size() const { return numbers_.size(); }
  // Calls f(key, number) for each, in no order.
  template <class F> void for_each(F&& f) const {
    for (const auto& [key, number] : numbers_) f(key, number);
  }

 private:
  std::unordered_map<Key, std::uint64_t, Hash> numbers_ = {};
};

namespace detail {
// A number without sign, leading zeros or anything else; one that is too large is the largest,
// which no field holds.
inline std::optional<std::uint64_t> plain_number(std::string_view s) {
  std::uint64_t n = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), n);
  if (r.ec == std::errc::invalid_argument || r.ptr != s.data() + s.size()) return std::nullopt;
  if (r.ec == std::errc::result_out_of_range) n = std::numeric_limits<std::uint64_t>::max();
  return s.size() > 1 && s[0] == '0' ? std::nullopt : std::optional(n);
}
}  // namespace detail

// The ids of one kind of names. A name of `letter` and a number (V17), or of a number alone, is
// that number; any other gets the first number that no name before it has.
class name_numbers {
 public:
  explicit name_numbers(char letter) : letter_(letter) {}

  // nullopt if the name's number was given to another name before.
  std::optional<std::uint64_t> operator()(std::string_view name) {
    const bool lettered = !name.empty() && name[0] == letter_;
    const auto number = detail::plain_number(lettered ? name.substr(1) : name);
    // Both forms in one trace are different names: the first one seen is the number.
    if (number && lettered_.value_or(lettered) == lettered) {
      lettered_ = lettered;
      if (given_.contains(*number)) return std::nullopt;
      taken_.insert(*number);
      return number;
    }
    const auto [at, is_new] = names_.try_emplace(std::string(name), next_);
    if (is_new) {
      while (taken_.contains(next_) || given_.contains(next_)) ++next_;
      at->second = next_;
      given_.insert(next_);
    }
    return at->second;
  }

 private:
  char letter_;
  std::optional<bool> lettered_ = {};
  id_set taken_ = {};  // by names that are numbers
  id_set given_ = {};  // to names that are none
  std::uint64_t next_ = 0;
  std::unordered_map<std::string, std::uint64_t, io::keyed_hash> names_ = {};
};

}  // namespace tracecodec::rapidbin
