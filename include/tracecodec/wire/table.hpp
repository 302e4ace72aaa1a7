// A layout table as text, column by column as a format's specification prints it, or as Markdown.
#pragma once
#include <array>
#include <span>

#include "cells.hpp"
#include "record.hpp"

namespace tracecodec::wire {

// Calls out(std::string_view) with pieces of the table; each line ends with '\n'.
template <class Out> constexpr void print_table(std::span<const layout_row> rows, Out&& out) {
  // As many as the longest cell and the gap behind it need.
  constexpr auto run_of = [](char c) {
    std::array<char, text::most + 2> run{};
    for (char& r : run) r = c;
    return run;
  };
  constexpr auto spaces = run_of(' '), dashes = run_of('-');
  std::array<std::size_t, 5> width{};
  for (std::size_t i = 0; i < 5; ++i) width[i] = table_header[i].size();
  for (const layout_row& r : rows) {
    const table_cells c = cells_of(r);
    for (std::size_t i = 0; i < 5; ++i)
      if (width[i] < c[i].length) width[i] = c[i].length;
  }
  const auto line = [&](auto&& cell) {
    std::size_t cells = 5;  // no blanks at the end of a line
    while (cell(cells - 1).empty()) --cells;
    for (std::size_t i = 0; i < cells; ++i) {
      const std::string_view s = cell(i);
      out(s);
      if (i + 1 < cells) out(std::string_view(spaces.data(), width[i] - s.size() + 2));
    }
    out(std::string_view("\n"));
  };
  line([](std::size_t i) { return table_header[i]; });
  line([&](std::size_t i) { return std::string_view(dashes.data(), width[i]); });
  for (const layout_row& r : rows) {
    const table_cells c = cells_of(r);
    line([&](std::size_t i) { return c[i].view(); });
  }
}

// The same as a Markdown table.
template <class Out> constexpr void print_markdown(std::span<const layout_row> rows, Out&& out) {
  const auto line = [&](auto&& cell) {
    for (std::size_t i = 0; i < 5; ++i) {
      out(std::string_view("| "));
      out(cell(i));
      out(std::string_view(" "));
    }
    out(std::string_view("|\n"));
  };
  line([](std::size_t i) { return table_header[i]; });
  line([](std::size_t) { return std::string_view("---"); });
  for (const layout_row& r : rows) {
    const table_cells c = cells_of(r);
    line([&](std::size_t i) { return c[i].view(); });
  }
}

}  // namespace tracecodec::wire
