// Writes records that a table describes at run time as rows of text. The two forms for row_writer
// write values by the rules of json_lines.hpp and csv.hpp. The first column contains the record's
// number. It is called "index", or "record_index" if the record has a field "index".
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../file/record_table.hpp"
#include "engine/formulas.hpp"
#include "numbers.hpp"
#include "row_writer.hpp"

namespace tracecodec::rows {

// Record at `bytes`. The table that describes the record specifies its length.
struct record_row {
  std::uint64_t index;
  const std::byte* bytes;
};

namespace detail {
// Appends an element. Returns false and appends nothing if the element is an infinite or NaN
// floating-point number.
template <class Out> bool add_element(Out& out, const file::record_column& c, std::uint64_t v) {
  switch (c.kind) {
    case file::column_kind::integer:
      add_number(out, static_cast<std::int64_t>(v));
      return true;
    case file::column_kind::real:
      return c.width == 4 ? add_number(out, std::bit_cast<float>(static_cast<std::uint32_t>(v)))
                          : add_number(out, std::bit_cast<double>(v));
    default:
      add_number(out, v);
      return true;
  }
}

// Returns a name for the column that contains the record's number. The name differs from the names
// of all fields.
inline std::string number_column(const file::record_table& t) {
  std::string name = "index";
  if (t.find(name) != nullptr) name.insert(0, "record_");
  while (t.find(name) != nullptr) name += '_';
  return name;
}
// Returns the separator between an array's name and an element's number in a column name. The
// separator is "_", or more underscores if "_" would yield the name of another field.
inline std::string before_number(const file::record_table& t, const file::record_column& array) {
  std::string mark = "_";
  const auto taken = [&](const file::record_column& c) {
    const std::string begin = array.name + mark;
    if (c.array || !c.name.starts_with(begin)) return false;
    const std::string_view rest = std::string_view(c.name).substr(begin.size());
    return !rest.empty() && rest.find_first_not_of("0123456789") == rest.npos;
  };
  while (std::any_of(t.columns().begin(), t.columns().end(), taken)) mark += '_';
  return mark;
}
}  // namespace detail

// Appends the value `v` of an element as JSON. An unsigned 64-bit number that is not a bit slice is
// written as an address, such as "0x3f000c".
template <class Out>
void add_json_element(Out& out, const file::record_column& c, std::uint64_t v) {
  if (c.kind == file::column_kind::boolean) {
    out += std::string_view(v != 0 ? "true" : "false");
  } else if (c.kind == file::column_kind::natural && c.width == 8 && c.bits == 0) {
    out += '"';
    add_hex(out, v);
    out += '"';
  } else if (!detail::add_element(out, c, v)) {
    out += std::string_view("null");
  }
}

// Form that writes a record as a JSON object on one line.
class record_json_form {
 public:
  explicit record_json_form(const file::record_table& table)
      : table_(&table), begin_("{\"" + detail::number_column(table) + "\":") {}

  template <class Row, class Out> static void begin(Out&) noexcept {}
  template <class Row, class Out> void add(Out& out, const Row& row) const {
    out += std::string_view(begin_);
    add_number(out, row.index);
    for (const file::record_column& c : table_->columns()) {
      out += std::string_view(",\"");
      out += std::string_view(c.name);
      out += std::string_view(c.array ? "\":[" : "\":");
      for (std::size_t i = 0; i < c.count; ++i) {
        if (i != 0) out += ',';
        add_json_element(out, c, c.load(row.bytes, i));
      }
      if (c.array) out += ']';
    }
    out += std::string_view("}\n");
  }

 private:
  const file::record_table* table_;
  // Beginning of each line.
  std::string begin_;
};

// Form that writes a record as a CSV line. Each element of an array has its own column: name_0,
// name_1, and so on.
class record_csv_form {
 public:
  // Constructs the form. For `guard_formulas`, see csv_form::guard_formulas. It affects only the
  // names of fields, because a record contains no other text.
  explicit record_csv_form(const file::record_table& table, bool guard_formulas = false)
      : table_(&table), guards_(guard_formulas) {}

  template <class Row, class Out> void begin(Out& out) const {
    out += std::string_view(detail::number_column(*table_));
    for (const file::record_column& c : table_->columns()) {
      const std::string mark = c.array ? detail::before_number(*table_, c) : std::string();
      for (std::size_t i = 0; i < c.count; ++i) {
        out += ',';
        if (guards_ && detail::begins_formula(c.name)) out += '\'';
        out += std::string_view(c.name);
        if (!c.array) continue;
        out += std::string_view(mark);
        add_number(out, i);
      }
    }
    out += '\n';
  }
  template <class Row, class Out> void add(Out& out, const Row& row) const {
    add_number(out, row.index);
    for (const file::record_column& c : table_->columns())
      for (std::size_t i = 0; i < c.count; ++i) {
        out += ',';
        std::uint64_t v = c.load(row.bytes, i);
        if (c.kind == file::column_kind::boolean) v = v != 0 ? 1 : 0;
        detail::add_element(out, c, v);
      }
    out += '\n';
  }

 private:
  const file::record_table* table_;
  bool guards_;
};

}  // namespace tracecodec::rows
