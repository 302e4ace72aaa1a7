// Mappings from names or other ids to ids. A new id is either the number in the text or the next
// unused number.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../io/hash.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

// Mapping that numbers its keys from 0 in order of first appearance.
template <class Key, class Hash = io::keyed_hash> class numbering {
 public:
  std::uint64_t operator()(const Key& key) {
    return numbers_.try_emplace(key, size()).first->second;
  }
  // Returns the number of `key`, or nullopt if `key` has not appeared yet.
  [[nodiscard]] std::optional<std::uint64_t> find(const Key& key) const {
    const auto at = numbers_.find(key);
    return at == numbers_.end() ? std::nullopt : std::optional(at->second);
  }
  [[nodiscard]] std::uint64_t size() const { return numbers_.size(); }
  // Calls f(key, number) for each key, in unspecified order.
  template <class F> void for_each(F&& f) const {
    for (const auto& [key, number] : numbers_) f(key, number);
  }

 private:
  std::unordered_map<Key, std::uint64_t, Hash> numbers_ = {};
};

namespace detail {
// Returns the value of `s`, which must be a decimal number without a sign or leading zeros. Returns
// nullopt for any other string, and for a number of more than 64 bits.
inline std::optional<std::uint64_t> plain_number(std::string_view s) {
  constexpr std::size_t surely_fits = 19;  // number of digits that always fit in 64 bits
  if (s.empty() || s.size() > surely_fits + 1 || (s[0] == '0' && s.size() != 1))
    return std::nullopt;
  std::uint64_t n = 0, before = 0;
  for (const char c : s) {
    const unsigned digit = static_cast<unsigned char>(c) - unsigned{'0'};
    if (digit > 9) return std::nullopt;
    before = n;
    n = 10 * n + digit;
  }
  if (s.size() > surely_fits &&
      (before > std::numeric_limits<std::uint64_t>::max() / 10 || n < before))
    return std::nullopt;
  return n;
}
}  // namespace detail

// Mapping from the names of one kind in STD text to ids. A number, written with or without `letter`
// (V17 or 17), is mapped to itself. Any other name is mapped to the first unused id. A number is
// treated as a name if it is too large, or if the number is already the id of a name. Each name
// that is not a number needs about 150 bytes plus its length.
class name_numbers {
 public:
  // Creates an empty mapping. `letter` is 0 for a kind of id that is written without a letter.
  // `largest` is the largest number that is treated as an id.
  name_numbers(char letter, std::uint64_t largest) : letter_(letter), largest_(largest) {}

  std::uint64_t operator()(std::string_view name) {
    const bool lettered = has_letter(name);
    const auto number = detail::plain_number(lettered ? name.substr(1) : name);
    if (!number || *number > largest_) [[unlikely]]
      return named(name);
    spellings_ |= lettered ? with_letter : without_letter;
    if (named_.empty() || !given_.contains(*number)) [[likely]] {
      taken_.insert(*number);
      return *number;
    }
    return named(canonical(*number));
  }

  // Returns the digits of `name`, without the letter, if `name` is a number of any size. Returns an
  // empty string if `name` is not a number.
  [[nodiscard]] std::string_view digits_in(std::string_view name) const {
    if (has_letter(name)) name.remove_prefix(1);
    const bool number = !name.empty() && (name[0] != '0' || name.size() == 1) &&
                        name.find_first_not_of("0123456789") == name.npos;
    return number ? name : std::string_view();
  }
  // Returns true if numbers have occurred both with and without the letter.
  [[nodiscard]] bool mixed() const { return spellings_ == (with_letter | without_letter); }

  // Returns the number of ids that have a name.
  [[nodiscard]] std::uint64_t size() const { return named_.size(); }
  // Returns the name of an id, or null if the id is written as a number or has not occurred.
  [[nodiscard]] const std::string* name_of(std::uint64_t id) const {
    const auto at = std::lower_bound(named_.begin(), named_.end(), id,
                                     [](const auto& a, std::uint64_t b) { return a.first < b; });
    return at != named_.end() && at->first == id ? at->second : nullptr;
  }
  // Returns the id of a name or of a number, which may have a letter. Returns nullopt for a name
  // that has not occurred yet. Also returns nullopt for a new number that equals the id of a name,
  // because the number will be mapped to a different id.
  [[nodiscard]] std::optional<std::uint64_t> id_of(std::string_view name) const {
    auto number = detail::plain_number(has_letter(name) ? name.substr(1) : name);
    if (number && *number > largest_) number.reset();
    const auto at = ids_.find(number ? canonical(*number) : std::string(name));
    if (at != ids_.end()) return at->second;
    return number && !given_.contains(*number) ? number : std::nullopt;
  }

 private:
  static constexpr std::uint8_t with_letter = 1, without_letter = 2;

  [[nodiscard]] bool has_letter(std::string_view name) const {
    return letter_ != 0 && !name.empty() && name[0] == letter_;
  }
  [[nodiscard]] std::string canonical(std::uint64_t number) const {
    return (letter_ != 0 ? std::string(1, letter_) : std::string()) + std::to_string(number);
  }
  [[gnu::noinline]] std::uint64_t named(std::string_view name) {
    if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
    while (taken_.contains(next_) || given_.contains(next_)) ++next_;
    const auto added = ids_.emplace(std::string(name), next_).first;
    given_.insert(next_);
    named_.emplace_back(next_, &added->first);
    return next_;
  }

  char letter_;
  std::uint8_t spellings_ = 0;
  std::uint64_t largest_;
  id_set taken_ = {};  // ids used by numbers
  id_set given_ = {};  // ids assigned to names
  std::uint64_t next_ = 0;
  std::unordered_map<std::string, std::uint64_t, io::keyed_hash, std::equal_to<>> ids_ = {};
  // Pairs of an id and its name. The vector is always sorted by id, because new names are mapped to
  // ascending ids.
  std::vector<std::pair<std::uint64_t, const std::string*>> named_ = {};
};

}  // namespace tracecodec::rapidbin
