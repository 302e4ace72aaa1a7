// Navigation among the nodes of a description. A node is a row, or the beginning or the end of a
// part.
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
// Returns the number of bit-sliced words that begin before `i`.
constexpr std::size_t words_before(node_span nodes, std::size_t i) noexcept {
  std::size_t n = 0;
  for (std::size_t k = 0; k < i; ++k) n += begins_word(nodes, k);
  return n;
}
// Returns the number of rows before `i` that have the same name as row `i`. Members of different
// alternatives may have the same name.
constexpr std::size_t namesakes_before(node_span nodes, std::size_t i) noexcept {
  std::size_t n = 0;
  for (std::size_t k = 0; k < i; ++k)
    n += nodes[k].is == layout_node::row_of && nodes[k].row.name.view() == nodes[i].row.name.view();
  return n;
}

// Returns the name of row `i` as an identifier, such as "inner_count" for "inner.count", or
// "value_2" for the second row called "value".
constexpr text plain_id_of(node_span nodes, std::size_t i, bool lower) {
  text id{};
  put_name_to(id, nodes[i].row.name.view(), lower);
  if (const std::size_t n = namesakes_before(nodes, i); n != 0) {
    id += "_";
    id += n + 1;
  }
  return id;
}
// Returns true if node `i` is a row whose plain identifier is `id`.
constexpr bool is_called(node_span nodes, std::size_t i, std::string_view id, bool lower) {
  return nodes[i].is == layout_node::row_of && plain_id_of(nodes, i, lower).view() == id;
}
// Returns true if row `i` must not be called `id`, because another row is called so. If the names
// of two rows give the same identifier, the row keeps it that has fewer dots, or comes first.
constexpr bool is_taken(node_span nodes, std::size_t i, std::string_view id, bool lower) {
  const auto dots = [&](std::size_t k) {
    std::size_t n = 0;
    for (const char c : nodes[k].row.name.view()) n += c == '.';
    return n;
  };
  const bool plain = is_called(nodes, i, id, lower);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (k == i || !is_called(nodes, k, id, lower)) continue;
    if (!plain || dots(k) < dots(i) || (dots(k) == dots(i) && k < i)) return true;
  }
  return false;
}
// Returns an identifier for row `i` that no other row has. It ends with _ if another row has the
// plain identifier: of "data.count" and "data_count", the latter is called data_count.
constexpr text id_of(node_span nodes, std::size_t i, bool lower = false) {
  text id = plain_id_of(nodes, i, lower);
  while (is_taken(nodes, i, id.view(), lower) && id.length != text::most) id += "_";
  return id;
}
// Returns `id`, or `id` with _ at its end if a row is called `id`.
constexpr text free_id(node_span nodes, text id, bool lower) {
  const auto taken = [&] {
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (is_called(nodes, k, id.view(), lower)) return true;
    return false;
  };
  while (taken() && id.length != text::most) id += "_";
  return id;
}
// Returns a numbered identifier such as "bits_0" that no row has.
constexpr text free_id(node_span nodes, std::string_view what, std::uint64_t number,
                       bool lower = false) {
  text id = what;
  id += number;
  return free_id(nodes, id, lower);
}

// Writes the names and bit positions of the slices in a bit-sliced word, as text such as "sign 63,
// location 62-48". The word begins at node `first`.
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

// Returns the parts that contain the values of an alternative.
constexpr std::span<const layout_part> values_of(const layout_part& p) noexcept {
  return p.any == nullptr ? std::span<const layout_part>(&p, 1)
                          : std::span<const layout_part>(p.any, p.values);
}
// Returns true if the row's bytes contain the difference from another value.
constexpr bool is_relative(const layout_row& r) noexcept {
  return r.values != nullptr && r.values->are == values_are::relative;
}
// Returns true if the row's value is a number that expressions can use.
constexpr bool is_number(const layout_row& r) noexcept {
  if (r.slice) return true;
  if (r.counted || is_relative(r) || !memberless_name(r).empty()) return false;
  switch (reads(r)) {
    case read_as::type:
    case read_as::both_orders: {
      const row_type t = type_of(r);
      return !r.variable_length && !t.array && is_usual(t);
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

// Returns the node of the member `member` to which node `at` refers. Both nodes are in a record
// whose names begin with `prefix`. If several nodes have the member's name, returns the last of
// these nodes before `at`. Returns nowhere if the member may be absent at `at`, or has no bytes.
constexpr std::size_t find_member(node_span nodes, std::size_t at, std::string_view prefix,
                                  std::string_view member) noexcept {
  for (std::size_t i = at; i-- != 0;) {
    if (nodes[i].is != layout_node::row_of) continue;
    const std::string_view name = nodes[i].row.name.view();
    if (name.size() != prefix.size() + member.size() || name.substr(0, prefix.size()) != prefix ||
        name.substr(prefix.size()) != member)
      continue;
    for (std::size_t p = part_around(nodes, i); p != nowhere; p = part_around(nodes, p))
      if (end_of_part(nodes, p) < at && nodes[p].part->what != part_of::sized) return nowhere;
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
// Returns the size in bytes of an element that is a fixed-size record.
constexpr std::size_t size_of_record(node_span element) noexcept {
  std::size_t size = 1;
  for (const layout_node& n : element)
    if (n.is == layout_node::row_of) size = n.row.offset + n.row.size;
  return size;
}
// Returns true if a row is an array of records whose length is constant in the description.
constexpr bool is_record_array(const layout_row& r) noexcept {
  return !varies(r) && reads(r) == read_as::type && !record_element(r).empty();
}
// Calls print(name, rows) for each record that is the element of an array or a list.
template <class Print> constexpr void each_record_element(std::string_view name, node_span nodes,
                                                          Print&& print, bool lower = false) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is != layout_node::row_of) continue;
    const node_span element = record_element(nodes[i].row);
    if (element.empty()) continue;
    text inner = name;
    inner += "_";
    inner += id_of(nodes, i, lower).view();
    print(inner.view(), element);
  }
}

}  // namespace tracecodec::emit::detail
