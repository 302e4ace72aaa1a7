// The cells of one row of a layout table, as a specification prints them.
#pragma once
#include <array>
#include <string_view>

#include "layout_row.hpp"

namespace tracecodec::wire {

// Where a row's field begins: bytes, or "varies" behind variable data. `Cell` takes texts and
// numbers by +=, as `text` does; so do the other two.
template <class Cell> constexpr void write_offset(const layout_row& r, Cell& to) noexcept {
  if (r.floats)
    to += std::string_view("varies");
  else
    to += r.offset;
}

// How long it is: bytes unless the cell says bits; "8 x count" is an array as long as `count`;
// "0 or 4" a field that may be absent; of what is scanned, "1 to 10" or the like.
template <class Cell> constexpr void write_size(const layout_row& r, Cell& to) noexcept {
  if (r.conditional) to += std::string_view("0 or ");
  if (r.slice) {
    to += std::size_t{r.high_bit - r.low_bit + 1};
    to += std::string_view(r.high_bit == r.low_bit ? " bit" : " bits");
  } else if (r.scanned) {
    to += r.count.view();
  } else {
    to += r.size;
  }
  if (r.counted) {
    to += std::string_view(" x ");
    to += r.count.view();
  }
}

// "big", "little", or nothing for single bytes.
constexpr std::string_view order_name(const layout_row& r) noexcept {
  if (!r.has_order) return {};
  return r.byte_order == order::big ? "big" : "little";
}

// Offset, size, field, type, byte order.
using table_cells = std::array<text, 5>;
inline constexpr std::array<std::string_view, 5> table_header{"Offset", "Size", "Field", "Type",
                                                              "Byte order"};

constexpr table_cells cells_of(const layout_row& r) noexcept {
  table_cells c{};
  write_offset(r, c[0]);
  write_size(r, c[1]);
  c[2] = r.name;
  c[3] = r.type;
  c[4] = order_name(r);
  return c;
}

}  // namespace tracecodec::wire
