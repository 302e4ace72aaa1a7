// Compile-time assertion that the layout table in a specification matches a description.
//
//   static_assert(wire::is_laid_out_as<header_codec, R"(
//   Offset  Size  Field
//   ------  ----  -------
//   0       4     magic    "TCXI"
//   4       4     (padding)
//   8       8     entries  how many follow
//   )">);
#pragma once
#include <cstddef>
#include <string_view>

#include "cells.hpp"
#include "engine/quoted.hpp"

namespace tracecodec::wire {

namespace detail {

// Line of a table, compared with the cells that are appended to this object. A blank in a cell
// matches one or more blanks in the line. (A line ends with a line feed or a NUL, which no cell
// contains. Therefore the comparison need not test for the end of the line, which saves compile
// time.)
class table_line {
 public:
  constexpr explicit table_line(const char* begin) noexcept : p_(begin) {}
  constexpr void operator+=(std::string_view s) noexcept {
    const char* p = p_;
    bool same = same_;
    for (const char c : s) {
      if (c == ' ') {
        same = same && *p == ' ';
        while (*p == ' ') ++p;
      } else {
        same = same && *p == c;
        if (same) ++p;
      }
    }
    p_ = p;
    same_ = same;
  }
  constexpr void operator+=(std::size_t number) noexcept {
    std::size_t stated = 0;
    const char* p = p_;
    for (; *p >= '0' && *p <= '9'; ++p) stated = 10 * stated + static_cast<std::size_t>(*p - '0');
    same_ = same_ && p != p_ && stated == number;
    p_ = p;
  }
  // Ends a cell. The line matches only if its current word also ends here.
  constexpr void end_cell() noexcept {
    same_ = same_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\0');
    while (*p_ == ' ') ++p_;
  }
  [[nodiscard]] constexpr bool same() const noexcept { return same_; }
  // Returns the unread rest of the line.
  [[nodiscard]] constexpr const char* rest() const noexcept { return p_; }

 private:
  const char* p_;
  bool same_ = true;
};

// Interpretation of a table's columns.
struct table_columns {
  // Number to add to each offset.
  std::size_t at = 0;
  bool bits = false;          // true if the first column contains a slice's bits, not its offset
  bool from_highest = false;  // true if bits are numbered from the most significant bit
  bool types = false;

  // Writes the cells of row `r` for these columns.
  template <class Cells> constexpr void write(const layout_row& r, Cells& to) const noexcept {
    if (bits && r.slice) {
      const std::size_t highest = 8 * r.size - 1;
      to += from_highest ? highest - r.high_bit : r.high_bit;
      if (r.high_bit != r.low_bit) {
        to += std::string_view("-");
        to += from_highest ? highest - r.low_bit : r.low_bit;
      }
      to.end_cell();
      to += std::size_t{r.high_bit - r.low_bit + 1};
    } else {
      if (r.variable_offset)
        write_offset(r, to);
      else
        to += r.offset + at;
      to.end_cell();
      write_size(r, to);
    }
    to.end_cell();
    to += r.name.view();
    to.end_cell();
    if (!types || r.type.length == 0) return;
    to += r.type.view();
    to.end_cell();
    if (!r.has_order) return;
    to += order_name(r);
    to.end_cell();
  }
};

// Cells as text, each followed by a blank.
struct shown_cells {
  text shown = {};
  constexpr void operator+=(std::string_view s) noexcept { shown += s; }
  constexpr void operator+=(std::size_t n) noexcept { shown += n; }
  constexpr void end_cell() noexcept { shown += " "; }
};

// First difference: the row in the table and the row in the description. If the table or the
// description has no more rows, its row is "no further row".
struct row_difference {
  bool found = false;
  text table = {};
  text description = {};
};

// Comparison of the rows of a description with the lines of a table, one row at a time.
class table_comparison : public row_list {
 public:
  // Compares the rows with `table`, whose offsets start at `at`. `shown` is true if the caller
  // needs the two rows of the difference as text.
  constexpr table_comparison(std::string_view table, std::size_t at, bool shown) noexcept
      : table_(table.data()), rest_(table_), columns_{at}, shown_(shown) {
    look = [](row_list& list, const layout_row& r) {
      static_cast<table_comparison&>(list).compare(r);
    };
  }
  constexpr void end() noexcept {
    if (difference_.found) return;
    if (const char* const line = next_line(); *line != '\0') differ(line, nullptr);
  }
  [[nodiscard]] constexpr const row_difference& difference() const noexcept { return difference_; }

 private:
  constexpr void compare(const layout_row& r) noexcept {
    if (difference_.found) return;
    const char* const line = next_line();
    if (n == 0) columns_.from_highest = *line == '0';
    table_line cells(line);
    columns_.write(r, cells);
    if (!cells.same()) return differ(line, &r);
    rest_ = cells.rest();
  }
  // Returns the next line that contains a row. Such a line begins with a number or "varies". If
  // there is no such line, returns the NUL at the end of the table.
  constexpr const char* next_line() noexcept {
    const char* p = rest_;
    for (bool within = rest_ != table_;; within = true) {
      if (within)
        while (*p != '\n' && *p != '\0') ++p;
      while (*p == '\n' || *p == ' ') ++p;
      if (*p == '\0' || (*p >= '0' && *p <= '9') || begins(p, "varies")) return p;
      if (begins(p, "Bits")) columns_.bits = true;
      if (begins(p, "Offset"))
        for (; *p != '\n' && *p != '\0'; ++p) columns_.types |= begins(p, "Type");
    }
  }
  static constexpr bool begins(const char* p, std::string_view word) noexcept {
    for (const char c : word)
      if (*p++ != c) return false;
    return true;
  }
  constexpr void differ(const char* begin, const layout_row* r) noexcept {
    difference_.found = true;
    if (!shown_) return;
    const char* end = begin;
    while (*end != '\n' && *end != '\0') ++end;
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    std::size_t words = 3;
    if (r != nullptr) {
      shown_cells cells;
      columns_.write(*r, cells);
      words = 0;
      for (const char c : cells.shown.view()) words += c == ' ';
      --cells.shown.length;
      difference_.description = cells.shown;
    }
    // Copies the first `words` words of the line, separated by single blanks.
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] != ' ' || line[i - 1] != ' ') words -= line[i] == ' ';
      if (words == 0) break;
      if (line[i] != ' ' || line[i - 1] != ' ') difference_.table += line.substr(i, 1);
    }
    if (line.empty()) difference_.table = std::string_view("no further row");
    if (r == nullptr) difference_.description = std::string_view("no further row");
  }

  const char* table_;
  const char* rest_;
  table_columns columns_;
  bool shown_;
  row_difference difference_ = {};
};

template <class Codec, fixed_string Table, std::size_t At> struct laid_out {
  static consteval row_difference difference(bool shown) {
    table_comparison c(Table.view(), At, shown);
    Codec::describe(c, {});
    c.end();
    return c.difference();
  }
};

// One of the two rows of a difference, for quoted_t.
template <class Difference, text row_difference::*Which> struct row_of {
  static constexpr text value = Difference::value.*Which;
};

// Type whose name appears in the compile error. The type is never defined. Its arguments are the
// table's row and the description's row.
template <class InTable, class InDescription> struct table_and_description_differ;

template <class LaidOut> struct difference_of {
  static constexpr row_difference value = LaidOut::difference(true);
  static constexpr bool shown = sizeof(
      table_and_description_differ<quoted_t<row_of<difference_of, &row_difference::table>>,
                                   quoted_t<row_of<difference_of, &row_difference::description>>>);
};
template <class LaidOut> consteval bool agree() {
  if constexpr (LaidOut::difference(false).found)
    return difference_of<LaidOut>::shown;
  else
    return true;
}
}  // namespace detail

// True if the rows of `Codec` match `Table`. Otherwise a compile error shows the first row that
// differs. `Table` has a line for each row of the layout table, including padding. A line contains
// the field's offset, size and name, in the form that print_table (table.hpp) prints. Text after
// the name is a comment. Offsets are measured from `At` bytes before the record. Two headings
// select other columns:
//
//   Offset ... Type ...   The type and the byte order follow the name and are also compared.
//                         The output of print_table is therefore a valid table.
//   Bits ...              A bit slice has its bits instead of its offset, such as "1-15", and its
//                         size is a number without a unit. Bits are numbered from the most
//                         significant bit if the first bit is 0.
//
// Other lines that do not begin with a number or "varies" are comments.
template <class Codec, fixed_string Table, std::size_t At = 0>
inline constexpr bool is_laid_out_as = detail::agree<detail::laid_out<Codec, Table, At>>();

}  // namespace tracecodec::wire
