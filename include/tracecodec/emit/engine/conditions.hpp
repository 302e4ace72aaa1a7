// Conditions and references in a description, for languages with expressions.
#pragma once
#include "nodes.hpp"

namespace tracecodec::emit::detail {

// Returns true if node `i` begins a part that is a separate type in some languages: a part with a
// size, or a part that is present only if bytes are left.
constexpr bool is_nested(node_span nodes, std::size_t i) noexcept {
  return is_part(nodes, i, part_of::sized) || is_part(nodes, i, part_of::if_left);
}
// Returns the innermost nested part that contains `i`, or nowhere if there is none.
constexpr std::size_t scope_of(node_span nodes, std::size_t i) noexcept {
  std::size_t p = part_around(nodes, i);
  while (p != nowhere && !is_nested(nodes, p)) p = part_around(nodes, p);
  return p;
}
// Returns the number of nested parts that begin before `part`.
constexpr std::size_t number_of_scope(node_span nodes, std::size_t part) noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < part; ++i) n += is_nested(nodes, i);
  return n;
}
constexpr bool has_rows(node_span nodes, std::size_t part) noexcept {
  for (std::size_t i = part; i < end_of_part(nodes, part); ++i)
    if (nodes[i].is == layout_node::row_of || is_nested(nodes, i)) return true;
  return false;
}
// Returns the name of the first field at or after node `i`, for a comment.
constexpr std::string_view first_name(node_span nodes, std::size_t i) noexcept {
  for (; i < nodes.size(); ++i)
    if (nodes[i].is == layout_node::row_of) return nodes[i].row.name.view();
  return "more";
}

// Returns the tag of the choice that contains the alternative `at`. The tag is a number, or an
// array of bytes if the alternatives have `chars`. Returns nowhere if an expression cannot compare
// the tag with the values of the alternatives.
constexpr std::size_t find_tag(node_span nodes, std::size_t at) noexcept {
  const std::size_t choice = part_around(nodes, at);
  const layout_node& c = nodes[choice];
  bool is_text = false;
  for (std::size_t i = choice + 1; i <= at; i = end_of_part(nodes, i) + 1) {
    for (const layout_part& p : values_of(*nodes[i].part)) {
      is_text = is_text || p.chars.data() != nullptr;
      if (p.what == part_of::on && p.chars.data() == nullptr && p.value.length == 0) return nowhere;
    }
  }
  if (!is_text) return find_number(nodes, choice, c.row.name.view(), c.part->member);
  if (c.part->member.empty()) return nowhere;
  const std::size_t tag = find_member(nodes, choice, c.row.name.view(), c.part->member);
  if (tag == nowhere) return nowhere;
  const layout_row& r = nodes[tag].row;
  const row_type t = type_of(r);
  return !varies(r) && !r.slice && t.array && t.size == 1 && !t.bytes ? tag : nowhere;
}
// Returns true if the condition of the part that begins at `i` depends only on members that
// are present.
constexpr bool is_plain_condition(node_span nodes, std::size_t i) noexcept {
  const layout_node& n = nodes[i];
  switch (n.part->what) {
    case part_of::choice:
    case part_of::if_left:
      return true;
    case part_of::on:
    case part_of::otherwise:
      return find_tag(nodes, i) != nowhere;
    default:
      return find_number(nodes, i, n.row.name.view(), n.part->member) != nowhere;
  }
}

// Operators of a language that has expressions.
struct expression_words {
  std::string_view both, neither, either;  // "and", "not", "or"
};
// Writes the test for an alternative. put_tag() writes the tag. Examples of output:
//   tag == 3
//   tag >= 3 and tag <= 5
//   tag[0] == 71 and tag[1] == 73
//   (tag == 3) or (tag == 5)
template <class Out, class Tag> constexpr void put_is(Out& out, const expression_words& words,
                                                      const layout_part& p, bool is_signed,
                                                      Tag&& put_tag) {
  for (std::size_t i = 0; i < p.values; ++i) {
    out(i == 0 ? std::string_view("(") : words.either);
    if (i != 0) out(std::string_view("("));
    put_is(out, words, p.any[i], is_signed, put_tag);
    out(std::string_view(")"));
  }
  if (p.any != nullptr) return;
  if (p.chars.data() == nullptr) {
    put_tag();
    out(std::string_view(p.last.length == 0 ? " == " : " >= "));
    out(p.value.view());
    if (p.last.length == 0) return;
    out(words.both);
    put_tag();
    out(std::string_view(" <= "));
    return out(p.last.view());
  }
  for (std::size_t i = 0; i < p.chars.size(); ++i) {
    if (i != 0) out(words.both);
    put_tag();
    out(std::string_view("["));
    put(out, i);
    out(std::string_view("] == "));
    const auto u = static_cast<unsigned char>(p.chars[i]);
    if (is_signed && u > 127) out(std::string_view("-"));
    put(out, is_signed && u > 127 ? 256U - u : u);
  }
}
// Writes the condition of the part that begins at `i`, which must satisfy is_plain_condition().
// refer(node) writes the value of a member.
template <class Out, class Refer>
constexpr void put_condition(Out& out, const expression_words& words, node_span nodes,
                             std::size_t i, Refer&& refer) {
  const layout_node& n = nodes[i];
  const layout_part& p = *n.part;
  if (p.what == part_of::on || p.what == part_of::otherwise) {
    const std::size_t tag = find_tag(nodes, i);
    const auto put_tag = [&] { refer(tag); };
    const bool is_signed = type_of(nodes[tag].row).kind == 'i';
    if (p.what == part_of::on) return put_is(out, words, p, is_signed, put_tag);
    const std::size_t first = part_around(nodes, i) + 1;
    for (std::size_t k = first; k < i; k = end_of_part(nodes, k) + 1) {
      if (k != first) out(words.both);
      out(words.neither);
      out(std::string_view("("));
      put_is(out, words, *nodes[k].part, is_signed, put_tag);
      out(std::string_view(")"));
    }
    if (first == i) out(std::string_view("1 == 1"));
    return;
  }
  refer(find_number(nodes, i, n.row.name.view(), p.member));
  if (p.what == part_of::since) {
    out(std::string_view(" >= "));
    out(p.value.view());
  } else {
    out(std::string_view(" != 0"));
  }
}

}  // namespace tracecodec::emit::detail
