// Values that satisfy the constraints of a query on a column of unsigned numbers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sqlite.hpp"

namespace tracecodec::sql {

// SQLite's integers are signed, so an address from 2^63 on is a negative integer. A column of 64
// bits reads a negative integer as the address with the same bits; narrower columns compare as SQL
// does. Text is a number in decimal, or in hexadecimal with 0x.
class value_set {
 public:
  explicit value_set(bool is_wide = true) noexcept : is_wide_(is_wide) {}

  // Removes the values that do not satisfy `value OP argument`, where `op` is one of SQLite's codes.
  // Throws trace_error(refused) for text that is not a number. `name` is the column's name.
  void add(int op, sqlite3_value* argument, const std::string& name);
  // Removes the values that are not in the list of an IN operator.
  void add_list(sqlite3_value* list, const std::string& name);
  void add_equal(std::optional<std::uint64_t> value);
  void add_not_equal(std::uint64_t value) { excluded_.push_back(value); }
  void add_list(std::vector<std::uint64_t> values);
  // Removes the values below `least`.
  void raise(std::uint64_t least) noexcept { first_ = std::max(first_, least); }
  // Returns true if no constraint was added.
  [[nodiscard]] bool is_everything() const noexcept {
    return first_ == 0 && last_ == std::numeric_limits<std::uint64_t>::max() && !list_ &&
           excluded_.empty();
  }
  void clear() noexcept { first_ = 1, last_ = 0; }

  [[nodiscard]] bool has(std::uint64_t v) const noexcept {
    return v >= first_ && v <= last_ &&
           (!list_ || std::binary_search(list_->begin(), list_->end(), v)) &&
           std::find(excluded_.begin(), excluded_.end(), v) == excluded_.end();
  }
  [[nodiscard]] bool empty() const noexcept { return first_ > last_; }
  [[nodiscard]] std::uint64_t first() const noexcept { return first_; }
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  // Returns the values of IN operators in order, or nullopt if there was none.
  [[nodiscard]] const std::optional<std::vector<std::uint64_t>>& list() const noexcept {
    return list_;
  }

 private:
  struct position;
  [[nodiscard]] position position_of(sqlite3_value* v, const std::string& name) const;

  bool is_wide_;
  std::uint64_t first_ = 0, last_ = std::numeric_limits<std::uint64_t>::max();
  std::optional<std::vector<std::uint64_t>> list_ = {};
  std::vector<std::uint64_t> excluded_ = {};
};

// Returns the number that an argument of a function has: an integer, as its bits, or text as in
// value_set. Throws trace_error(refused) for other values. `what` names the argument.
std::uint64_t number_of(sqlite3_value* v, const std::string& what);
// Returns the text of a value.
std::string text_of(sqlite3_value* v);

}  // namespace tracecodec::sql
