// Prints layout tables as plain text or as Markdown. If the values of any field are restricted, a
// sixth column lists the allowed values. If a field is a list, another table for the elements of
// the list follows.
#pragma once
#include <array>
#include <span>

#include "layout/cells.hpp"
#include "layout/engine/values_text.hpp"
#include "record.hpp"

namespace tracecodec::wire {

namespace detail {
// Calls f(row) for each row in a table or in a list of nodes.
template <class F> constexpr void each_row(std::span<const layout_row> rows, F&& f) {
  for (const layout_row& r : rows) f(r);
}
template <class F> constexpr void each_row(std::span<const layout_node> nodes, F&& f) {
  for (const layout_node& n : nodes)
    if (n.is == layout_node::row_of) f(n.row);
}
template <class Rows> constexpr bool any_values(Rows rows) {
  bool any = false;
  each_row(rows, [&](const layout_row& r) { any = any || r.values != nullptr; });
  return any;
}
// Cells of a row, including the sixth cell if the table has six columns.
template <class Out> struct row_of_cells {
  table_cells cells;
  const layout_values* values;
  constexpr explicit row_of_cells(const layout_row& r) noexcept
      : cells(cells_of(r)), values(r.values) {
    if (cells[2].length == 0) cells[2] = std::string_view("(element)");
  }
  constexpr void put(std::size_t i, Out& out) const {
    if (i < 5)
      out(cells[i].view());
    else if (values != nullptr)
      put_values(out, *values);
  }
};
inline constexpr std::string_view values_header = "Values";
constexpr std::string_view header_of(std::size_t i) noexcept {
  return i < 5 ? table_header[i] : values_header;
}
// Returns true if the row is a list. A prefixed row is a list if its elements are records.
constexpr bool is_list(const layout_row& r) noexcept {
  if (r.how == nullptr) return false;
  return r.how->as == read_as::list ||
         (r.how->as == read_as::prefixed && r.how->element()[0].row.name.length != 0);
}
// Calls f(row) for each row that represents a list.
template <class Rows, class F> constexpr void each_list(Rows rows, F&& f) {
  each_row(rows, [&](const layout_row& r) {
    if (is_list(r)) f(r);
  });
}

template <class Rows, class Out> constexpr void print_table(Rows rows, Out& out) {
  // Returns a run of characters `c` that is long enough for the longest cell and the gap after it.
  constexpr auto run_of = [](char c) {
    std::array<char, text::most + 2> run{};
    for (char& r : run) r = c;
    return run;
  };
  constexpr auto spaces = run_of(' '), dashes = run_of('-');
  const std::size_t columns = any_values(rows) ? 6 : 5;
  std::array<std::size_t, 6> width{};
  for (std::size_t i = 0; i < columns; ++i) width[i] = header_of(i).size();
  each_row(rows, [&](const layout_row& r) {
    const row_of_cells<Out> c(r);
    for (std::size_t i = 0; i < 5; ++i)
      if (width[i] < c.cells[i].length) width[i] = c.cells[i].length;
  });
  // Prints a line of `cells` cells. put(i) prints cell `i`, and size(i) returns its length.
  const auto line = [&](std::size_t cells, auto&& size, auto&& put) {
    for (std::size_t i = 0; i < cells; ++i) {
      put(i);
      // Omit the gap after the last cell, so that lines have no trailing blanks.
      if (i + 1 < cells) out(std::string_view(spaces.data(), width[i] - size(i) + 2));
    }
    out(std::string_view("\n"));
  };
  line(
      columns, [](std::size_t i) { return header_of(i).size(); },
      [&](std::size_t i) { out(header_of(i)); });
  line(
      columns, [&](std::size_t i) { return width[i]; },
      [&](std::size_t i) { out(std::string_view(dashes.data(), width[i])); });
  each_row(rows, [&](const layout_row& r) {
    const row_of_cells<Out> c(r);
    std::size_t cells = r.values != nullptr ? 6 : 5;
    while (cells < 6 && c.cells[cells - 1].length == 0) --cells;
    line(
        cells, [&](std::size_t i) { return std::size_t{c.cells[i].length}; },
        [&](std::size_t i) { c.put(i, out); });
  });
  each_list(rows, [&](const layout_row& r) {
    out(std::string_view("\nEach of "));
    out(r.name.view());
    out(std::string_view("\n"));
    print_table(r.how->element(), out);
  });
}

template <class Rows, class Out> constexpr void print_markdown(Rows rows, Out& out) {
  const std::size_t columns = any_values(rows) ? 6 : 5;
  const auto line = [&](auto&& put) {
    for (std::size_t i = 0; i < columns; ++i) {
      out(std::string_view("| "));
      put(i);
      out(std::string_view(" "));
    }
    out(std::string_view("|\n"));
  };
  line([&](std::size_t i) { out(header_of(i)); });
  line([&](std::size_t) { out(std::string_view("---")); });
  each_row(rows, [&](const layout_row& r) {
    const row_of_cells<Out> c(r);
    line([&](std::size_t i) { c.put(i, out); });
  });
  each_list(rows, [&](const layout_row& r) {
    out(std::string_view("\nEach of `"));
    out(r.name.view());
    out(std::string_view("`:\n\n"));
    print_markdown(r.how->element(), out);
  });
}
}  // namespace detail

// Calls out(std::string_view) with successive pieces of the table. Each line ends with '\n'.
template <class Out> constexpr void print_table(std::span<const layout_row> rows, Out&& out) {
  detail::print_table(rows, out);
}

// Calls out(std::string_view) with successive pieces of the table as Markdown.
template <class Out> constexpr void print_markdown(std::span<const layout_row> rows, Out&& out) {
  detail::print_markdown(rows, out);
}

}  // namespace tracecodec::wire
