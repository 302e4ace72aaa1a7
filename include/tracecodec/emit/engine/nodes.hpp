// Navigation among the nodes of a description, which are its rows and the parts around them.
#pragma once
#include "row_type.hpp"

namespace tracecodec::emit::detail {

using node_span = std::span<const layout_node>;
inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

// Returns the node that ends the part that begins at node `i`.
constexpr std::size_t end_of_part(node_span nodes, std::size_t i) noexcept {
  std::size_t depth = 0;
  for (; i < nodes.size(); ++i) {
    if (nodes[i].is == layout_node::begins) ++depth;
    if (nodes[i].is == layout_node::ends && --depth == 0) return i;
  }
  return i;
}
// Returns the beginning of the innermost part that contains `i`, or nowhere if there is none.
constexpr std::size_t part_around(node_span nodes, std::size_t i) noexcept {
  std::size_t depth = 0;
  while (i-- != 0) {
    if (nodes[i].is == layout_node::ends) ++depth;
    if (nodes[i].is == layout_node::begins && depth-- == 0) return i;
  }
  return nowhere;
}
constexpr bool is_part(node_span nodes, std::size_t i, part_of what) noexcept {
  return nodes[i].is == layout_node::begins && nodes[i].part->what == what;
}

// Returns true if the row at `i` is the first slice of its word.
constexpr bool begins_word(node_span nodes, std::size_t i) noexcept {
  if (nodes[i].is != layout_node::row_of || !nodes[i].row.slice) return false;
  return i == 0 || nodes[i - 1].is != layout_node::row_of || !nodes[i - 1].row.slice ||
         nodes[i - 1].row.low_bit == 0;
}
constexpr bool goes_on_word(node_span nodes, std::size_t i) noexcept {
  return nodes[i].is == layout_node::row_of && nodes[i].row.slice && !begins_word(nodes, i);
}
// Returns the number of words of slices that begin before `i`.
constexpr std::size_t words_before(node_span nodes, std::size_t i) noexcept {
  std::size_t n = 0;
  for (std::size_t k = 0; k < i; ++k) n += begins_word(nodes, k);
  return n;
}
// Returns the number of rows before `i` with the same name as row `i`. Several alternatives may
// have members of the same name.
constexpr std::size_t namesakes_before(node_span nodes, std::size_t i) noexcept {
  std::size_t n = 0;
  for (std::size_t k = 0; k < i; ++k)
    n += nodes[k].is == layout_node::row_of && nodes[k].row.name.view() == nodes[i].row.name.view();
  return n;
}

// Writes the contents of a word of slices, from node `first` on, as text such as "sign 63, location
// 62-48".
template <class Out> constexpr void put_slices(Out& out, node_span nodes, std::size_t first) {
  for (std::size_t i = first; i < nodes.size() && (i == first || goes_on_word(nodes, i)); ++i) {
    const layout_row& r = nodes[i].row;
    if (i != first) out(std::string_view(", "));
    put_name(out, r.name.view());
    out(std::string_view(" "));
    put(out, r.high_bit);
    if (r.high_bit != r.low_bit) {
      out(std::string_view("-"));
      put(out, r.low_bit);
    }
    if (r.values == nullptr) continue;
    out(std::string_view(" = "));
    put_values(out, *r.values);
  }
}

// Returns true if the row's value is a number that expressions can use.
constexpr bool is_number(const layout_row& r) noexcept {
  if (r.slice) return true;
  if (r.counted || is_padding(r) || is_literal(r)) return false;
  switch (reads(r)) {
    case read_as::type:
    case read_as::both_orders: {
      const row_type t = type_of(r);
      return !r.scanned && !t.array && is_usual(t);
    }
    case read_as::uleb128:
    case read_as::sleb128:
    case read_as::zigzag:
    case read_as::vlq:
      return true;
    default:
      return false;
  }
}

// Returns the node of the member `member` to which node `at` refers, in a record whose names begin
// with `prefix`. If several nodes have that name, returns the last one before `at`. Returns nowhere
// if the member may be absent at `at`, or has no bytes.
constexpr std::size_t find_member(node_span nodes, std::size_t at, std::string_view prefix,
                                  std::string_view member) noexcept {
  for (std::size_t i = at; i-- != 0;) {
    if (nodes[i].is != layout_node::row_of) continue;
    const std::string_view name = nodes[i].row.name.view();
    if (name.size() != prefix.size() + member.size() || name.substr(0, prefix.size()) != prefix ||
        name.substr(prefix.size()) != member)
      continue;
    for (std::size_t p = part_around(nodes, i); p != nowhere; p = part_around(nodes, p))
      if (end_of_part(nodes, p) < at && nodes[p].part->what != part_of::limited) return nowhere;
    return i;
  }
  return nowhere;
}
constexpr std::size_t find_number(node_span nodes, std::size_t at, std::string_view prefix,
                                  std::string_view member) noexcept {
  if (member.empty()) return nowhere;
  const std::size_t i = find_member(nodes, at, prefix, member);
  return i != nowhere && is_number(nodes[i].row) ? i : nowhere;
}

// Returns true if the rows of an element describe a single value and not a record.
constexpr bool is_plain_element(node_span element) noexcept {
  return element.size() == 1 && element[0].is == layout_node::row_of &&
         element[0].row.name.length == 0;
}
// Returns the rows of a record that is the element of the array or list `r`. Returns an empty span
// if the element is not a record.
constexpr node_span record_element(const layout_row& r) noexcept {
  if (r.how == nullptr || r.how->element == nullptr) return {};
  const node_span element = r.how->element();
  return is_plain_element(element) ? node_span() : element;
}
// Returns the size in bytes of an element that is a record of fixed size.
constexpr std::size_t size_of_record(node_span element) noexcept {
  std::size_t size = 1;
  for (const layout_node& n : element)
    if (n.is == layout_node::row_of) size = n.row.offset + n.row.size;
  return size;
}
// Returns true if a row is an array of records whose length is a constant of the description.
constexpr bool is_record_array(const layout_row& r) noexcept {
  return !varies(r) && reads(r) == read_as::type && !record_element(r).empty();
}
// Calls print(name, rows) for each record that is the element of an array or a list.
template <class Print>
constexpr void each_record_element(std::string_view name, node_span nodes, Print&& print) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is != layout_node::row_of) continue;
    const node_span element = record_element(nodes[i].row);
    if (element.empty()) continue;
    text inner = name;
    inner += "_";
    put_name_to(inner, nodes[i].row.name.view());
    if (const std::size_t n = namesakes_before(nodes, i); n != 0) {
      inner += "_";
      inner += n + 1;
    }
    print(inner.view(), element);
  }
}

}  // namespace tracecodec::emit::detail
