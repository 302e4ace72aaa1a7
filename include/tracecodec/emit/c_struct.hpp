// Prints a layout as a packed C struct.
#pragma once
#include "engine/nodes.hpp"

namespace tracecodec::emit {

namespace detail {
// Writes the comment of a member, such as `big-endian: sign 63, location 62-48` or `is "GIF8"`.
template <class Out> constexpr void put_c_comment(Out& out, node_span nodes, std::size_t i) {
  const layout_row& r = nodes[i].row;
  const bool typed = r.type.length != 0 && !r.slice && !is_record_array(r) &&
                     (!is_usual(type_of(r)) || reads(r) != read_as::type);
  const bool valued = r.values != nullptr && !r.slice;
  if (!typed && !r.has_order && !r.slice && !valued) return;
  out(std::string_view("  /* "));
  const char* before = "";
  const auto next = [&] {
    out(std::string_view(before));
    before = ", ";
  };
  if (typed) next(), out(r.type.view());
  if (reads(r) == read_as::padded) next(), put_numbered(out, "padded with ", r.how->number);
  if (r.has_order) next(), put_order(out, r);
  if (valued) next(), out(std::string_view("is ")), put_values(out, *r.values);
  if (r.slice) {
    if (r.has_order) out(std::string_view(": "));
    put_slices(out, nodes, i);
  }
  out(std::string_view(" */"));
}
template <class Out> constexpr void put_c_type(Out& out, const row_type& t, bool usual) {
  if (!usual) {
    out(std::string_view("uint8_t "));
  } else if (t.kind == 'f') {
    out(std::string_view(t.size == 4 ? "float " : "double "));
  } else {
    out(std::string_view(t.kind == 'i' ? "int" : "uint"));
    put(out, 8 * t.size);
    out(std::string_view("_t "));
  }
}
// Writes a comment that replaces a field whose size or offset varies.
template <class Out> constexpr void put_c_rest(Out& out, node_span nodes, std::size_t i) {
  const layout_row& r = nodes[i].row;
  out(std::string_view(r.conditional ? "  /* perhaps " : "  /* then "));
  if (r.counted) out(r.count.view()), out(std::string_view(" x "));
  out(r.type.length != 0 ? r.type.view() : std::string_view("u8"));
  if (!r.counted && !r.variable_length && r.type.length == 0) {
    out(std::string_view("["));
    put(out, r.size);
    out(std::string_view("]"));
  }
  out(std::string_view(" "));
  if (r.slice)
    put_slices(out, nodes, i);
  else
    put_name(out, r.name.view());
  if (r.variable_length) out(std::string_view(": ")), out(r.count.view());
  if (r.values != nullptr && !r.slice) out(std::string_view(", is ")), put_values(out, *r.values);
  out(std::string_view(" */\n"));
}
}  // namespace detail

// Calls out(std::string_view) with pieces of the struct, which needs <stdint.h>.
// - Members have the byte order of the file, which comments state.
// - Numbers whose size does not exist in C are arrays of bytes.
// - A word of bit slices is one member, such as bits_0. For each slice, a function `name_slice`
//   extracts the slice from the value of the word.
// - Comments after the members list the fields whose size or offset varies.
// - Record types of arrays and lists are separate structs before this struct.
template <class Out> constexpr void print_c_struct(std::string_view name,
                                                   std::span<const wire::layout_node> nodes,
                                                   Out&& out) {
  const auto say = [&out](std::string_view s) { out(s); };
  detail::each_record_element(name, nodes, [&](std::string_view inner, detail::node_span element) {
    print_c_struct(inner, element, out);
    say("\n");
  });
  say("struct ");
  say(name);
  say(" {\n");
  std::size_t gaps = 0, literals = 0, reserved = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is != wire::layout_node::row_of || detail::goes_on_word(nodes, i)) continue;
    const wire::layout_row& r = nodes[i].row;
    if (detail::varies(r)) {
      detail::put_c_rest(out, nodes, i);
      continue;
    }
    const detail::row_type t = detail::type_of(r);
    const bool usual = detail::is_usual(t), digits = detail::reads(r) == wire::read_as::digits;
    say("  ");
    const bool records = detail::is_record_array(r);
    if (records)
      say("struct "), say(name), say("_"), say(detail::id_of(nodes, i).view()), say(" ");
    else if (digits)
      say("char ");
    else
      detail::put_c_type(out, t, usual);
    if (r.slice)
      say(detail::free_id(nodes, "bits_", detail::words_before(nodes, i)).view());
    else if (detail::is_padding(r))
      say(detail::free_id(nodes, "padding_", gaps++).view());
    else if (detail::is_literal(r))
      say(detail::free_id(nodes, "literal_", literals++).view());
    else if (detail::is_reserved(r))
      say(detail::free_id(nodes, "reserved_", reserved++).view());
    else
      say(detail::id_of(nodes, i).view());
    if (!r.slice && (t.array || !usual)) {
      say("[");
      detail::put(out, records ? r.size / detail::size_of_record(detail::record_element(r))
                       : usual ? t.count
                               : r.size);
      say("]");
    }
    say(";");
    detail::put_c_comment(out, nodes, i);
    if (detail::reads(r) == wire::read_as::both_orders) {
      say("\n  ");
      detail::put_c_type(out, t, usual);
      say(detail::id_of(nodes, i).view());
      say("_big;  /* the same, big-endian */");
    }
    say("\n");
  }
  say("} __attribute__((packed));\n");
  for (const wire::layout_node& node : nodes) {
    const wire::layout_row& r = node.row;
    if (!r.slice || detail::is_unused(r) || detail::varies(r)) continue;
    say("static inline uint64_t ");
    say(name);
    say("_");
    detail::put_name(out, r.name.view());
    say("(uint64_t word) { return word >> ");
    detail::put(out, r.low_bit);
    say(" & ");
    detail::put_mask(out, r.high_bit - r.low_bit + 1);
    say("; }\n");
  }
}

}  // namespace tracecodec::emit
