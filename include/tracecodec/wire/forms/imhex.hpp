// A layout table as a struct of ImHex's pattern language.
#pragma once
#include "row_type.hpp"

namespace tracecodec::wire {

// Calls out(std::string_view) with pieces of the struct. A word of bit slices is one field, bits_0,
// whose comment says which bits they are. Arrays as long as a field says are arrays; with the first
// row whose presence, or count, takes more than a field to tell, the struct ends, and a comment says
// so.
template <class Out>
constexpr void print_imhex(std::string_view name, std::span<const layout_row> rows, Out&& out) {
  const auto say = [&out](std::string_view s) { out(s); };
  say("struct ");
  say(name);
  say(" {\n");
  std::size_t words = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const layout_row& r = rows[i];
    if (r.slice && !detail::begins_word(rows, i)) continue;
    // A count that is a slice is no field here.
    bool counts = r.counted && r.count.view() != "computed";
    for (const layout_row& other : rows)
      if (other.slice && other.name.view() == r.count.view()) counts = false;
    if (r.conditional || (r.counted && !counts)) {
      say("  // then ");
      detail::put_name(out, r.name.view());
      say(", which depends on more than a field\n");
      break;
    }
    const detail::row_type t = detail::type_of(r);
    say("  ");
    if (detail::is_padding(r)) {
      say("padding");
    } else {
      if (r.has_order && t.size > 1) say(r.byte_order == order::big ? "be " : "le ");
      if (t.kind == 'f') {
        say(t.size == 4 ? "float " : "double ");
      } else {
        say(t.kind == 'i' ? "s" : "u");
        detail::put(out, 8 * t.size);
        say(" ");
      }
      if (r.slice)
        detail::put_numbered(out, "bits_", words++);
      else
        detail::put_name(out, r.name.view());
    }
    if (t.array || r.counted) {
      say("[");
      if (r.counted) detail::put_name(out, r.count.view());
      if (r.counted && t.array) say(" * ");
      if (t.array) detail::put(out, t.count);
      say("]");
    }
    say(";");
    if (r.slice) say("  // "), detail::put_slices(out, rows, i);
    say("\n");
  }
  say("};\n");
}

}  // namespace tracecodec::wire
