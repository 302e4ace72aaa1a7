// One row of a record's layout table, and what a description needs to fill it.
#pragma once
#include <cstddef>

#include "policy.hpp"
#include "text.hpp"

namespace tracecodec::wire {

// A field as the tables of a specification show it. Nested records are shown field by field,
// their names joined by dots; an array of records is one row.
struct layout_row {
  std::size_t offset = 0;  // bytes from the start of the record, or of its section if it floats
  bool floats = false;     // whether variable data stand before it, so that `offset` is not fixed
  std::size_t size = 0;    // bytes; of one element if `counted`
  unsigned high_bit = 0;   // a bit slice: its highest and lowest bit in the word at `offset`,
  unsigned low_bit = 0;    // 0 being the least significant
  bool slice = false;
  bool counted = false;      // as many elements as `count` says
  bool conditional = false;  // present only if a condition on the record holds
  bool scanned = false;      // the size lies in its own bytes: `count` says which are possible
  text type = {};            // "u64", "u8[2]"
  text name = {};
  text count = {};  // the name of the count field, or "computed"
  order byte_order = order::native;
  bool has_order = false;  // false for single bytes
};

// The name of a row that holds no field.
inline constexpr std::string_view padding_name = "(padding)";

namespace detail {
// Collects rows, or has each looked at as it comes; without either it only counts them.
struct row_list {
  layout_row* rows = nullptr;
  void (*look)(row_list&, const layout_row&) = nullptr;
  std::size_t n = 0;
  constexpr void add(const layout_row& r) noexcept {
    if (rows != nullptr) rows[n] = r;
    if (look != nullptr) look(*this, r);
    ++n;
  }
};

constexpr void add_padding(row_list& list, layout_row r, std::size_t offset, std::size_t size) {
  r.name += padding_name;
  r.offset = offset;
  r.size = size;
  list.add(r);
}

template <class W>
concept nested_record = requires(row_list& list, layout_row r) {
  W::describe(list, r);
};

// Adds the rows of one field of wire type `W`, given its name, offset and condition in `r`.
template <class W> constexpr void describe(row_list& list, layout_row r) {
  if constexpr (nested_record<W>) {
    W::describe(list, r);
  } else {
    r.size = W::size;
    r.type = W::type_name();
    r.byte_order = W::byte_order;
    r.has_order = W::has_order;
    list.add(r);
  }
}

// The same of one whose length lies in its own bytes: a record's rows, or what the type says.
template <class W> constexpr void describe_scanned(row_list& list, layout_row r) {
  r.scanned = true;
  if constexpr (nested_record<W>) {
    r.scanned = false;
    W::describe(list, r);
  } else {
    r.size = 0;
    r.type = W::type_name();
    r.count = W::sizes();
    if constexpr (requires { W::byte_order; }) {
      r.byte_order = W::byte_order;
      r.has_order = W::has_order;
    }
    list.add(r);
  }
}
}  // namespace detail

}  // namespace tracecodec::wire
