// A layout table as JSON.
#pragma once
#include "row_type.hpp"

namespace tracecodec::wire {

// Calls out(std::string_view) with pieces of one object, a field a line:
//   {"name": "header", "fields": [
//     {"name": "threads", "offset": 0, "size": 2, "type": "i16", "order": "big"}, ...]}
// "offset" is null behind variable data. A bit slice also has "high_bit" and "low_bit", of the word
// of "size" bytes at "offset"; an array as long as another field says "count"; a field that may be
// absent "conditional"; padding has no "type".
template <class Out>
constexpr void print_json(std::string_view name, std::span<const layout_row> rows, Out&& out) {
  const auto member = [&out](std::string_view key) {
    out(std::string_view(", \""));
    out(key);
    out(std::string_view("\": "));
  };
  const auto quoted = [&out](std::string_view s) {
    out(std::string_view("\""));
    out(s);
    out(std::string_view("\""));
  };
  out(std::string_view("{\"name\": "));
  quoted(name);
  out(std::string_view(", \"fields\": ["));
  bool first = true;
  for (const layout_row& r : rows) {
    out(std::string_view(first ? "\n  {\"name\": " : ",\n  {\"name\": "));
    first = false;
    quoted(r.name.view());
    member("offset");
    if (r.floats)
      out(std::string_view("null"));
    else
      detail::put(out, r.offset);
    member("size");
    detail::put(out, r.size);
    if (r.type.length != 0) member("type"), quoted(r.type.view());
    if (r.has_order) member("order"), quoted(r.byte_order == order::big ? "big" : "little");
    if (r.slice) {
      member("high_bit");
      detail::put(out, r.high_bit);
      member("low_bit");
      detail::put(out, r.low_bit);
    }
    if (r.counted) member("count"), quoted(r.count.view());
    if (r.conditional) member("conditional"), out(std::string_view("true"));
    out(std::string_view("}"));
  }
  out(std::string_view("]}"));
}

}  // namespace tracecodec::wire
