#include "scan.hpp"

#include <tracecodec/feed/instruction.hpp>
#include <tracecodec/rows/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "../c/trace.hpp"

namespace tracecodec::sql {

feed::column_source& instruction_scan::source() {
  if (!source_) source_ = trace_->open(registers_);
  has_batch_ = false;
  return *source_;
}

void instruction_scan::start(feed::column_set wanted, value_set n, std::vector<filter> filters,
                             candidates only) {
  if (wanted_ != wanted) has_batch_ = false;
  wanted_ = wanted;
  n_ = std::move(n);
  filters_ = std::move(filters);
  only_ = std::move(only);
  position_ = n_.first();
  ended_ = n_.empty();
  listed_ = 0;
  rows_ = 256;
  selected_.clear();
  at_ = 0;
}

bool instruction_scan::next() {
  while (at_ == selected_.size())
    if (!fetch()) return false;
  row_ = selected_[at_++];
  return true;
}

// Selects rows of the next batch, perhaps none. Returns false at the end.
bool instruction_scan::fetch() {
  selected_.clear();
  at_ = 0;
  if (ended_) return false;
  std::uint64_t last = n_.last();
  if (n_.list()) {
    const auto& all = *n_.list();
    while (listed_ != all.size() && all[listed_] < position_) ++listed_;
    if (listed_ == all.size() || all[listed_] > last) return false;
    position_ = last = all[listed_];
  }
  if (only_) {
    const auto found = only_(position_);
    if (!found || *found > n_.last()) return false;
    position_ = *found;
    if (position_ > last) return true;
    last = position_;
  }
  const bool is_here =
      has_batch_ && position_ >= batch_.first() && position_ - batch_.first() < batch_.size();
  if (!is_here) {
    poll_();
    if (!source_) source_ = trace_->open(registers_);
    // A query that jumps forward a little may want the rows after this one next.
    const bool is_near = has_batch_ && position_ - batch_.first() - batch_.size() < 256;
    const std::uint64_t ahead = is_near ? 256 : 1;
    const std::uint64_t rows =
        std::max(std::min<std::uint64_t>(last - position_, rows_ - 1) + 1, ahead);
    source_->move_to(position_);
    source_->want(wanted_);
    has_batch_ = source_->next(batch_, static_cast<std::size_t>(rows));
    ++batches_;
    rows_ = std::min(2 * rows_, feed::columns::most_rows);
    if (!has_batch_) {
      ended_ = true;
      return false;
    }
  }
  const auto begin = static_cast<std::size_t>(position_ - batch_.first());
  const std::uint64_t end = std::min<std::uint64_t>(batch_.size() - 1, last - batch_.first());
  select(begin, static_cast<std::size_t>(end) + 1);
  position_ = batch_.first() + end;
  if (position_ == n_.last())
    ended_ = true;
  else
    ++position_;
  return true;
}

namespace {

template <class T>
void keep(std::vector<std::uint32_t>& rows, const void* values, const instruction_scan::filter& f) {
  const auto* const v = static_cast<const T*>(values);
  const auto compact = [&rows](auto test) {
    std::size_t n = 0;
    for (const std::uint32_t row : rows) {
      rows[n] = row;
      n += test(row) ? 1U : 0U;
    }
    rows.resize(n);
  };
  if (f.wants_null) return compact([&](std::uint32_t row) { return v[row] == f.null_value; });
  const std::uint64_t null = f.null_value.value_or(0);
  const bool has_null = f.null_value.has_value();
  compact([&](std::uint32_t row) { return f.values.has(v[row]) && !(has_null && v[row] == null); });
}

}  // namespace

void instruction_scan::select(std::size_t begin, std::size_t end) {
  selected_.resize(end - begin);
  for (std::size_t i = begin; i != end; ++i) selected_[i - begin] = static_cast<std::uint32_t>(i);
  for (const filter& f : filters_) {
    const void* const values = c::array_of(batch_, f.column, 0).values;
    switch (tracecodec_part(static_cast<std::size_t>(f.column), 0)->type) {
      case TRACECODEC_U16:
        keep<std::uint16_t>(selected_, values, f);
        break;
      case TRACECODEC_U32:
        keep<std::uint32_t>(selected_, values, f);
        break;
      case TRACECODEC_U64:
        keep<std::uint64_t>(selected_, values, f);
        break;
      default:
        keep<std::uint8_t>(selected_, values, f);
    }
  }
}

instruction_column column_of(const opened_trace& of, feed::column c) {
  using form = instruction_column::form;
  const auto number = static_cast<std::size_t>(c);
  const tracecodec_part_info& part = *tracecodec_part(number, 0);
  const std::string_view unit = part.unit;
  instruction_column column{.name = std::string(feed::name(c)), .from = c};
  column.is_wide = part.type == TRACECODEC_U64;
  if (unit == "address") column.type = column_type::address;
  if (unit == "class") column.as = form::branch_class;
  if (unit == "operation") column.as = form::operation;
  if (unit == "register") column.as = form::registers;
  if (unit == "byte") column.as = c == feed::column::text ? form::text : form::bytes;
  if (column.as != form::number)
    column.type = column.as == form::bytes ? column_type::blob : column_type::text;
  switch (c) {
    case feed::column::branch:
      column.null_value = static_cast<std::uint64_t>(feed::branch_class::not_branch);
      break;
    case feed::column::target:
    case feed::column::time:
    case feed::column::size:
      column.null_value = 0;
      break;
    case feed::column::cpu:
      column.null_value = feed::unknown_cpu;
      break;
    case feed::column::thread:
      column.is_unknown = !of.has(c);
      break;
    default:
      break;
  }
  return column;
}

std::vector<instruction_column> instruction_columns(const opened_trace& of) {
  // Columns with their own tables, and those that need a selection.
  constexpr feed::column_set others{feed::column::index,          feed::column::memory,
                                    feed::column::memory_values,  feed::column::register_values,
                                    feed::column::register_value, feed::column::mnemonic_matches,
                                    feed::column::thread_known};
  std::vector<instruction_column> all;
  for (std::size_t i = 0; i != feed::column_count; ++i)
    if (const auto c = static_cast<feed::column>(i);
        !others.has(c) && (of.has() | feed::common_columns).has(c))
      all.push_back(column_of(of, c));
  return all;
}

feed::column_set needs_of(const opened_trace& of, const instruction_column& c) {
  feed::column_set needs{c.from};
  if (c.is_unknown) return {};
  if (c.from == feed::column::thread && of.has(feed::column::thread_known))
    needs |= {feed::column::thread_known};
  return needs;
}

bool is_filter(const instruction_column& c, int op) noexcept {
  using form = instruction_column::form;
  const bool is_name = c.as == form::branch_class || c.as == form::operation;
  if (c.as != form::number && !is_name) return false;
  if (op == SQLITE_INDEX_CONSTRAINT_ISNULL || op == SQLITE_INDEX_CONSTRAINT_ISNOTNULL) return true;
  if (is_name) return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_NE;
  return is_comparison(op);
}

namespace {

// Returns the number of a name, or nullopt if nothing has the name.
std::optional<std::uint64_t> numbered(const opened_trace& of, const instruction_column& c,
                                      sqlite3_value* name) {
  if (sqlite3_value_type(name) != SQLITE_TEXT) return std::nullopt;
  const std::string text = text_of(name);
  if (c.as == instruction_column::form::operation) {
    const auto found = of.operation_named(text);
    return found ? std::optional<std::uint64_t>(*found) : std::nullopt;
  }
  for (std::size_t i = 0; i != feed::branch_class_count; ++i)
    if (feed::name(static_cast<feed::branch_class>(i)) == text) return i;
  return std::nullopt;
}

}  // namespace

void add_filter(const opened_trace& of, const instruction_column& c, const plan::term& t,
                sqlite3_value* argument, std::vector<instruction_scan::filter>& to, bool& none) {
  using form = instruction_column::form;
  instruction_scan::filter f{c.from, value_set(c.is_wide), false, c.null_value};
  const bool is_known_apart = c.from == feed::column::thread && of.has(feed::column::thread_known);
  if (t.op == SQLITE_INDEX_CONSTRAINT_ISNULL) {
    if (c.is_unknown) return;
    if (is_known_apart) {
      f.column = feed::column::thread_known;
      f.values.add_equal(0);
    } else if (c.null_value) {
      f.wants_null = true;
    } else {
      none = true;
    }
    to.push_back(std::move(f));
    return;
  }
  if (c.is_unknown) {
    none = true;
    return;
  }
  if (t.op != SQLITE_INDEX_CONSTRAINT_ISNOTNULL) {
    if (c.as == form::number) {
      if (t.is_list)
        f.values.add_list(argument, c.name);
      else
        f.values.add(t.op, argument, c.name);
    } else if (t.is_list) {
      std::vector<std::uint64_t> all;
      sqlite3_value* v = nullptr;
      for (int rc = sqlite3_vtab_in_first(argument, &v); rc == SQLITE_OK && v != nullptr;
           rc = sqlite3_vtab_in_next(argument, &v))
        if (const auto n = numbered(of, c, v)) all.push_back(*n);
      f.values.add_list(std::move(all));
    } else if (t.op == SQLITE_INDEX_CONSTRAINT_EQ) {
      f.values.add_equal(numbered(of, c, argument));
    } else if (sqlite3_value_type(argument) == SQLITE_NULL) {
      none = true;
    } else if (const auto n = numbered(of, c, argument)) {
      f.values.add_not_equal(*n);
    }
  }
  none = none || f.values.empty();
  to.push_back(std::move(f));
  if (is_known_apart) {
    to.push_back({feed::column::thread_known, value_set(false)});
    to.back().values.add_equal(1);
  }
}

namespace {

std::uint64_t number_at(const void* values, std::int32_t type, std::size_t row) {
  switch (type) {
    case TRACECODEC_U16:
      return static_cast<const std::uint16_t*>(values)[row];
    case TRACECODEC_U32:
      return static_cast<const std::uint32_t*>(values)[row];
    case TRACECODEC_U64:
      return static_cast<const std::uint64_t*>(values)[row];
    default:
      return static_cast<const std::uint8_t*>(values)[row];
  }
}

}  // namespace

void result_value(sqlite3_context* to, opened_trace& of, const instruction_column& c,
                  const feed::columns& batch, std::size_t row) {
  using form = instruction_column::form;
  if (c.is_unknown) return sqlite3_result_null(to);
  if (c.from == feed::column::thread && of.has(feed::column::thread_known) &&
      batch.thread_known()[row] == 0)
    return sqlite3_result_null(to);
  const tracecodec_array all = c::array_of(batch, c.from, 0);
  if (all.offsets != nullptr) {
    const auto begin = static_cast<std::size_t>(all.offsets[row]),
               end = static_cast<std::size_t>(all.offsets[row + 1]);
    const auto* const bytes = static_cast<const std::byte*>(all.values);
    const std::span<const std::byte> list(bytes + begin, end - begin);
    if (c.as == form::bytes) return result_bytes(to, list);
    if (c.as == form::text)
      return result_text(to, {reinterpret_cast<const char*>(list.data()), list.size()});
    std::string names;
    rows::json<std::string> json(names);
    json.array();
    for (const std::byte number : list)
      json.string(of.registers().name(std::to_integer<std::uint8_t>(number)));
    json.end_array();
    return result_text(to, names);
  }
  const std::uint64_t n =
      number_at(all.values, tracecodec_part(static_cast<std::size_t>(c.from), 0)->type, row);
  if (n == c.null_value) return sqlite3_result_null(to);
  if (c.as == form::branch_class) {
    const std::string_view name = feed::name(static_cast<feed::branch_class>(n));
    return sqlite3_result_text(to, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
  }
  if (c.as == form::operation)
    return result_text(to, of.operation_name(static_cast<std::uint8_t>(n)));
  result_number(to, n);
}

}  // namespace tracecodec::sql
