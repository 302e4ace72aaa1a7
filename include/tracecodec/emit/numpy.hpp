// Prints a layout as a NumPy dtype.
#pragma once
#include "engine/nodes.hpp"

namespace tracecodec::emit {

namespace detail {
// Returns the first row that a dtype cannot express, because the row's size or offset varies.
// Returns nullptr if there is no such row.
constexpr const layout_row* first_varying(node_span nodes) noexcept {
  for (const layout_node& n : nodes)
    if (n.is == layout_node::row_of && varies(n.row)) return &n.row;
  return nullptr;
}
// Writes a type such as "(2,)<u8" or "S12". Numbers that NumPy does not support are bytes.
template <class Out> constexpr void put_numpy_type(Out& out, const layout_row& r) {
  const row_type t = type_of(r);
  const auto say = [&out](std::string_view s) { out(s); };
  if (reads(r) == read_as::digits) return put_numbered(out, "S", r.size);
  const bool has = is_usual(t) || (t.kind == 'f' && t.size == 2);
  if (t.array || !has) {
    say("(");
    put(out, has ? t.count : r.size);
    say(",)");
  }
  if (!has) return say("u1");
  const char* little = reads(r) == read_as::both_orders ? "<" : "";
  if (r.has_order && t.size > 1)
    say(r.byte_order == order::big ? ">" : "<");
  else
    say(little);
  const char kind = t.kind;
  say(std::string_view(&kind, 1));
  put(out, t.size);
}
// Writes the valid values of a field as Python: b"GIF8", 3, [1, 2] or range(1, 10 + 1).
template <class Out> constexpr void put_python_values(Out& out, const layout_values& v) {
  const auto say = [&out](std::string_view s) { out(s); };
  if (v.chars.data() != nullptr) {
    say("b");
    return put_quoted(out, v.chars);
  }
  if (v.are == values_are::range) say("range(");
  if (v.are == values_are::one_of) say("[");
  for (std::size_t i = 0; i < v.numbers.size(); ++i) {
    if (i != 0) say(", ");
    out(v.numbers[i].view());
  }
  for (std::size_t i = 0; i < v.texts.size(); ++i) {
    say(i != 0 ? ", b" : "b");
    put_quoted(out, v.texts[i]);
  }
  if (v.are == values_are::range) say(" + 1)");
  if (v.are == values_are::one_of) say("]");
}
}  // namespace detail

// Calls out(std::string_view) with successive pieces of Python code: `name = numpy.dtype({...})`.
// The dtype has explicit offsets, so padding is omitted.
// - A word of bit slices is one field, such as bits_0. `name_bits` maps each slice to its word, the
//   number of bits to shift down, and the mask to apply afterwards.
// - `name_values` maps each field with restricted values to the allowed values.
//
// A dtype cannot express a row whose size or offset varies. If such a row exists, writes nothing
// and returns the first one. If no such row exists, returns nullptr.
template <class Out>
constexpr const wire::layout_row* print_numpy_dtype(std::string_view name,
                                                    std::span<const wire::layout_node> nodes,
                                                    Out&& out) {
  if (const wire::layout_row* r = detail::first_varying(nodes)) return r;
  const auto say = [&out](std::string_view s) { out(s); };
  // Writes one list, with an entry for each field that has a member.
  const auto list = [&](std::string_view key, auto&& entry) {
    say(key);
    bool first = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is != wire::layout_node::row_of || detail::goes_on_word(nodes, i)) continue;
      const wire::layout_row& r = nodes[i].row;
      if (!detail::memberless_name(r).empty()) continue;
      if (!first) say(", ");
      first = false;
      entry(r, i);
    }
    say("]");
  };
  say(name);
  say(" = numpy.dtype({");
  list("\n    \"names\": [", [&](const wire::layout_row& r, std::size_t i) {
    say("\"");
    if (r.slice)
      detail::put_numbered(out, "bits_", detail::words_before(nodes, i));
    else
      say(r.name.view());
    say("\"");
  });
  list(",\n    \"formats\": [", [&](const wire::layout_row& r, std::size_t) {
    say("\"");
    detail::put_numpy_type(out, r);
    say("\"");
  });
  list(",\n    \"offsets\": [",
       [&](const wire::layout_row& r, std::size_t) { detail::put(out, r.offset); });
  std::size_t size = 0;
  for (const wire::layout_node& n : nodes)
    if (n.is == wire::layout_node::row_of) size = n.row.offset + n.row.size;
  say(",\n    \"itemsize\": ");
  detail::put(out, size);
  say("})\n");
  // Writes `name_WHAT = {...}`, with an entry for each row that satisfies wanted(row).
  const auto map = [&](std::string_view what, auto&& wanted, auto&& entry) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const wire::layout_row& r = nodes[i].row;
      if (nodes[i].is != wire::layout_node::row_of || !wanted(r)) continue;
      if (n++ == 0)
        say(name), say(what), say(" = {");
      else
        say(",");
      say("\n    \"");
      say(r.name.view());
      say("\": ");
      entry(r, i);
    }
    if (n != 0) say("}\n");
  };
  map(
      "_bits", [](const wire::layout_row& r) { return r.slice && !detail::is_unused(r); },
      [&](const wire::layout_row& r, std::size_t i) {
        say("(\"");
        detail::put_numbered(out, "bits_",
                             detail::words_before(nodes, i) - !detail::begins_word(nodes, i));
        say("\", ");
        detail::put(out, r.low_bit);
        say(", ");
        detail::put_mask(out, r.high_bit - r.low_bit + 1);
        say(")");
      });
  map(
      "_values",
      [](const wire::layout_row& r) {
        return r.values != nullptr && !r.slice && detail::memberless_name(r).empty() &&
               (r.values->chars.data() != nullptr || !r.values->numbers.empty() ||
                !r.values->texts.empty());
      },
      [&](const wire::layout_row& r, std::size_t) { detail::put_python_values(out, *r.values); });
  return nullptr;
}

}  // namespace tracecodec::emit
