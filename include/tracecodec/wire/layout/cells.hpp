// Cells of a row in a layout table, as printed in a specification.
#pragma once
#include <array>
#include <string_view>

#include "layout_row.hpp"

namespace tracecodec::wire {

// Writes the offset of a row's field in bytes, or "varies" if variable-length data precede the
// field. `Cell` is a type that appends strings and numbers with +=, like `text`.
template <class Cell> constexpr void write_offset(const layout_row& r, Cell& to) noexcept {
  if (r.variable_offset)
    to += std::string_view("varies");
  else
    to += r.offset;
}

// Writes the size of a row's field. The size is in bytes unless the cell contains "bit" or "bits".
// "8 x count" is an array of `count` elements, and "0 or 4" is a field that may be absent. A
// variable-length field has a size such as "1 to 10".
template <class Cell> constexpr void write_size(const layout_row& r, Cell& to) noexcept {
  if (r.conditional) to += std::string_view("0 or ");
  if (r.slice) {
    to += std::size_t{r.high_bit - r.low_bit + 1};
    to += std::string_view(r.high_bit == r.low_bit ? " bit" : " bits");
  } else if (r.variable_length) {
    to += r.count.view();
  } else {
    to += r.size;
  }
  if (r.counted) {
    to += std::string_view(" x ");
    to += r.count.view();
  }
}

// Returns "big" or "little", or an empty string if the field consists of single bytes.
constexpr std::string_view order_name(const layout_row& r) noexcept {
  if (!r.has_order) return {};
  return r.byte_order == order::big ? "big" : "little";
}

// Cells of a row: offset, size, field, type and byte order.
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
