#include "value_set.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/text/hex.hpp>

#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracecodec::sql {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw trace_error(trace_errc::refused, {}, what);
}

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::string text_of(sqlite3_value* v) {
  const auto* const text = sqlite3_value_text(v);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_value_bytes(v))};
}

std::uint64_t number_of(sqlite3_value* v, const std::string& what) {
  if (sqlite3_value_type(v) == SQLITE_INTEGER)
    return static_cast<std::uint64_t>(sqlite3_value_int64(v));
  const std::string text = text_of(v);
  if (sqlite3_value_type(v) == SQLITE_TEXT)
    if (const auto n = io::decimal_or_hex(text)) return *n;
  refuse(what + ": expected a number, or text such as '0x401000', got " +
         (sqlite3_value_type(v) == SQLITE_NULL ? "NULL" : "'" + text + "'"));
}

// Place of an argument among the unsigned numbers.
struct value_set::position {
  enum class where : std::uint8_t {
    nowhere,
    below,
    at,
    after,
    above
  };  // `after`: between two numbers
  where is = where::nowhere;
  std::uint64_t value = 0;
};

value_set::position value_set::position_of(sqlite3_value* v, const std::string& name) const {
  using where = position::where;
  switch (sqlite3_value_type(v)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER: {
      const sqlite3_int64 n = sqlite3_value_int64(v);
      if (n < 0 && !is_wide_) return {where::below};
      return {where::at, static_cast<std::uint64_t>(n)};
    }
    case SQLITE_FLOAT: {
      const double d = sqlite3_value_double(v);
      if (d < 0) return {where::below};
      if (d >= 18446744073709551616.0) return {where::above};
      const double whole = std::floor(d);
      return {whole < d ? where::after : where::at, static_cast<std::uint64_t>(whole)};
    }
    default:
      return {where::at, number_of(v, name)};
  }
}

void value_set::add(int op, sqlite3_value* argument, const std::string& name) {
  using where = position::where;
  const position p = position_of(argument, name);
  if (p.is == where::nowhere) return clear();
  const bool exact = p.is == where::at;
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return add_equal(exact ? std::optional(p.value) : std::nullopt);
    case SQLITE_INDEX_CONSTRAINT_NE:
      if (exact) excluded_.push_back(p.value);
      return;
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE: {
      const bool less = op == SQLITE_INDEX_CONSTRAINT_LT && exact;
      if (p.is == where::above) return;
      if (p.is == where::below || (less && p.value == 0)) return clear();
      last_ = std::min(last_, less ? p.value - 1 : p.value);
      return;
    }
    default: {  // GT and GE
      const bool next = op == SQLITE_INDEX_CONSTRAINT_GT || !exact;
      if (p.is == where::below) return;
      if (p.is == where::above || (next && p.value == most)) return clear();
      first_ = std::max(first_, next ? p.value + 1 : p.value);
    }
  }
}

void value_set::add_equal(std::optional<std::uint64_t> value) {
  if (!value) return clear();
  first_ = std::max(first_, *value);
  last_ = std::min(last_, *value);
}

void value_set::add_list(sqlite3_value* list, const std::string& name) {
  std::vector<std::uint64_t> all;
  sqlite3_value* v = nullptr;
  for (int rc = sqlite3_vtab_in_first(list, &v); rc == SQLITE_OK && v != nullptr;
       rc = sqlite3_vtab_in_next(list, &v))
    if (const position p = position_of(v, name); p.is == position::where::at)
      all.push_back(p.value);
  add_list(std::move(all));
}

void value_set::add_list(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (list_) {
    std::vector<std::uint64_t> both;
    std::set_intersection(values.begin(), values.end(), list_->begin(), list_->end(),
                          std::back_inserter(both));
    values = std::move(both);
  }
  if (values.empty()) clear();
  list_ = std::move(values);
}

}  // namespace tracecodec::sql
