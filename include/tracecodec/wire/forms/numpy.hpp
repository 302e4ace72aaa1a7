// A layout table as a dtype of NumPy.
#pragma once
#include "row_type.hpp"

namespace tracecodec::wire {

// Calls out(std::string_view) with pieces of Python: `name = numpy.dtype({...})`, with offsets, so
// that padding stays out. A word of bit slices is one field, bits_0; `name_bits` then maps each
// slice to its word, how far to shift it down, and the mask of what remains. The first row that
// varies in size, which no dtype can hold: then nothing was written. nullptr: there is none.
template <class Out> constexpr const layout_row* print_numpy_dtype(std::string_view name,
                                                                   std::span<const layout_row> rows,
                                                                   Out&& out) {
  for (const layout_row& r : rows)
    if (detail::varies(r)) return &r;
  const auto say = [&out](std::string_view s) { out(s); };
  // One list, an entry for each field that is no padding.
  const auto list = [&](std::string_view key, auto&& entry) {
    say(key);
    std::size_t words = 0;
    bool first = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (detail::is_padding(rows[i]) || (rows[i].slice && !detail::begins_word(rows, i))) continue;
      if (!first) say(", ");
      first = false;
      entry(rows[i], rows[i].slice ? words++ : words);
    }
    say("]");
  };
  say(name);
  say(" = numpy.dtype({");
  list("\n    \"names\": [", [&](const layout_row& r, std::size_t word) {
    say("\"");
    if (r.slice)
      detail::put_numbered(out, "bits_", word);
    else
      say(r.name.view());
    say("\"");
  });
  list(",\n    \"formats\": [", [&](const layout_row& r, std::size_t) {
    const detail::row_type t = detail::type_of(r);
    say("\"");
    if (t.array) {
      say("(");
      detail::put(out, t.count);
      say(",)");
    }
    if (r.has_order && t.size > 1) say(r.byte_order == order::big ? ">" : "<");
    const char kind = t.kind;
    say(std::string_view(&kind, 1));
    detail::put(out, t.size);
    say("\"");
  });
  list(",\n    \"offsets\": [",
       [&](const layout_row& r, std::size_t) { detail::put(out, r.offset); });
  std::size_t size = 0;
  for (const layout_row& r : rows) size = r.offset + r.size;
  say(",\n    \"itemsize\": ");
  detail::put(out, size);
  say("})\n");
  std::size_t words = 0, slices = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const layout_row& r = rows[i];
    if (!r.slice) continue;
    if (detail::begins_word(rows, i)) ++words;
    if (detail::is_unused(r)) continue;
    if (slices++ == 0)
      say(name), say("_bits = {");
    else
      say(",");
    say("\n    \"");
    say(r.name.view());
    say("\": (\"");
    detail::put_numbered(out, "bits_", words - 1);
    say("\", ");
    detail::put(out, r.low_bit);
    say(", ");
    detail::put_mask(out, r.high_bit - r.low_bit + 1);
    say(")");
  }
  if (slices != 0) say("}\n");
  return nullptr;
}

}  // namespace tracecodec::wire
