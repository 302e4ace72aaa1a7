// A layout table as text, column by column as a format's specification prints it, or as Markdown.
#pragma once
#include <array>
#include <span>

#include "record.hpp"

namespace tracecodec::wire {

// The cells of one row: offset, size, field, type, byte order. Sizes are bytes unless they say
// bits; "8 x count" is an array as long as `count`; "0 or 4" a field that may be absent; an offset
// behind variable data is "varies".
using table_cells = std::array<text, 5>;
inline constexpr std::array<std::string_view, 5> table_header{"Offset", "Size", "Field", "Type",
                                                              "Byte order"};

constexpr table_cells cells_of(const layout_row& r) noexcept {
  table_cells c{};
  if (r.floats)
    c[0] = std::string_view("varies");
  else
    c[0] += r.offset;
  if (r.conditional) c[1] += "0 or ";
  if (r.slice) {
    c[1] += std::size_t{r.high_bit - r.low_bit + 1};
    c[1] += r.high_bit == r.low_bit ? " bit" : " bits";
  } else if (r.scanned) {
    c[1] += r.count.view();
  } else {
    c[1] += r.size;
  }
  if (r.counted) {
    c[1] += " x ";
    c[1] += r.count.view();
  }
  c[2] = r.name;
  c[3] = r.type;
  if (r.has_order) c[4] += r.byte_order == order::big ? "big" : "little";
  return c;
}

// Calls out(std::string_view) with pieces of the table; each line ends with '\n'.
template <class Out> constexpr void print_table(std::span<const layout_row> rows, Out&& out) {
  // As many as the longest cell and the gap behind it need.
  constexpr auto run_of = [](char c) {
    std::array<char, text{}.chars.size() + 2> run{};
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
