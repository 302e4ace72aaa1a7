// A layout table as a struct of C, packed as the bytes lie.
#pragma once
#include "row_type.hpp"

namespace tracecodec::wire {

// Calls out(std::string_view) with pieces of the struct, which needs <stdint.h>. Members have the
// order of bytes of the file, which their comments say. A word of bit slices is one member, bits_0,
// and a function `name_slice` takes each slice from the word's value. What varies in size is named
// in comments behind the members.
template <class Out>
constexpr void print_c_struct(std::string_view name, std::span<const layout_row> rows, Out&& out) {
  const auto say = [&out](std::string_view s) { out(s); };
  say("struct ");
  say(name);
  say(" {\n");
  std::size_t words = 0, gaps = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const layout_row& r = rows[i];
    if (r.slice && !detail::begins_word(rows, i)) continue;
    const detail::row_type t = detail::type_of(r);
    if (detail::varies(r)) {
      say(r.conditional ? "  /* perhaps " : "  /* then ");
      if (r.counted) say(r.count.view()), say(" x ");
      say(r.type.view());
      say(" ");
      detail::put_name(out, r.name.view());
      say(" */\n");
      continue;
    }
    say("  ");
    if (t.kind == 'f') {
      say(t.size == 4 ? "float " : "double ");
    } else {
      say(t.kind == 'i' ? "int" : "uint");
      detail::put(out, 8 * t.size);
      say("_t ");
    }
    if (r.slice)
      detail::put_numbered(out, "bits_", words++);
    else if (detail::is_padding(r))
      detail::put_numbered(out, "padding_", gaps++);
    else
      detail::put_name(out, r.name.view());
    if (t.array) {
      say("[");
      detail::put(out, t.count);
      say("]");
    }
    say(";");
    if (r.slice || r.has_order) {
      say("  /* ");
      if (r.has_order) say(r.byte_order == order::big ? "big-endian" : "little-endian");
      if (r.slice && r.has_order) say(": ");
      if (r.slice) detail::put_slices(out, rows, i);
      say(" */");
    }
    say("\n");
  }
  say("} __attribute__((packed));\n");
  for (const layout_row& r : rows) {
    if (!r.slice || detail::is_unused(r)) continue;
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

}  // namespace tracecodec::wire
