// A layout table as a type of Kaitai Struct.
#pragma once
#include "row_type.hpp"

namespace tracecodec::wire {

// Calls out(std::string_view) with pieces of an entry below `types:` of a .ksy file. A word of bit
// slices is one field, bits_0, and each slice an instance. Arrays as long as a field says are
// repeated; with the first row whose presence, or count, takes more than a field to tell, the type
// ends, and a comment says so.
template <class Out>
constexpr void print_kaitai(std::string_view name, std::span<const layout_row> rows, Out&& out) {
  const auto say = [&out](std::string_view s) { out(s); };
  say("  ");
  detail::put_name(out, name, true);
  say(":\n    seq:\n");
  std::size_t words = 0, gaps = 0, slices = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const layout_row& r = rows[i];
    if (r.slice && !detail::is_unused(r)) ++slices;
    if (r.slice && !detail::begins_word(rows, i)) continue;
    if (r.conditional || (r.counted && r.count.view() == "computed")) {
      say("      # then ");
      say(r.name.view());
      say(", which depends on more than a field\n");
      break;
    }
    const detail::row_type t = detail::type_of(r);
    say("      - id: ");
    if (r.slice)
      detail::put_numbered(out, "bits_", words++);
    else if (detail::is_padding(r))
      detail::put_numbered(out, "padding_", gaps++);
    else
      detail::put_name(out, r.name.view(), true);
    if (t.bytes) {
      say("\n        size: ");  // bytes: a record, or padding
      detail::put(out, r.size);
    } else {
      say("\n        type: ");
      say(t.kind == 'i' ? "s" : t.kind == 'f' ? "f" : "u");
      detail::put(out, t.size);
      if (t.size > 1) say(r.byte_order == order::big ? "be" : "le");
    }
    if (r.counted || (t.array && !t.bytes)) {
      say("\n        repeat: expr\n        repeat-expr: ");
      if (r.counted)
        detail::put_name(out, r.count.view(), true);
      else
        detail::put(out, t.count);
    }
    say("\n");
  }
  if (slices == 0) return;
  say("    instances:\n");
  words = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const layout_row& r = rows[i];
    if (detail::begins_word(rows, i)) ++words;
    if (!r.slice || detail::is_unused(r)) continue;
    say("      ");
    detail::put_name(out, r.name.view(), true);
    say(":\n        value: (");
    detail::put_numbered(out, "bits_", words - 1);
    say(" >> ");
    detail::put(out, r.low_bit);
    say(") & ");
    detail::put_mask(out, r.high_bit - r.low_bit + 1);
    say("\n");
  }
}

}  // namespace tracecodec::wire
