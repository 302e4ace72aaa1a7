// Records that a table describes at run time as rows of text: forms of row_writer, beside those of
// json_lines.hpp and csv.hpp, whose rules for values are theirs. Column "index" stands first.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../file/record_table.hpp"
#include "numbers.hpp"
#include "row_writer.hpp"

namespace tracecodec::rows {

// The record at `bytes`, as long as its table says.
struct record_row {
  std::uint64_t index;
  const std::byte* bytes;
};

namespace detail {
// False, and nothing is appended, for a real that is infinite or none.
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
}  // namespace detail

// Element `v` of a column as JSON: whole unsigned words of 64 bits are addresses, "0x...".
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

// An object in one line.
struct record_json_form {
  const file::record_table* table;
  template <class Row, class Out> static void begin(Out&) noexcept {}
  template <class Row, class Out> void add(Out& out, const Row& row) const {
    out += std::string_view("{\"index\":");
    add_number(out, row.index);
    for (const file::record_column& c : table->columns()) {
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
};

// A column for each element of an array: name_0, name_1 ...
struct record_csv_form {
  const file::record_table* table;
  template <class Row, class Out> void begin(Out& out) const {
    out += std::string_view("index");
    for (const file::record_column& c : table->columns())
      for (std::size_t i = 0; i < c.count; ++i) {
        out += ',';
        out += std::string_view(c.name);
        if (!c.array) continue;
        out += '_';
        add_number(out, i);
      }
    out += '\n';
  }
  template <class Row, class Out> void add(Out& out, const Row& row) const {
    add_number(out, row.index);
    for (const file::record_column& c : table->columns())
      for (std::size_t i = 0; i < c.count; ++i) {
        out += ',';
        std::uint64_t v = c.load(row.bytes, i);
        if (c.kind == file::column_kind::boolean) v = v != 0 ? 1 : 0;
        detail::add_element(out, c, v);
      }
    out += '\n';
  }
};

}  // namespace tracecodec::rows
