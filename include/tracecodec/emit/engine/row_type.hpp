// Helpers for all emitters: the parts of a row's type, and numbers and names as text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../../wire/layout/engine/values_text.hpp"
#include "../../wire/layout/layout_row.hpp"

namespace tracecodec::emit::detail {

using wire::layout_how;
using wire::layout_node;
using wire::layout_part;
using wire::layout_row;
using wire::layout_values;
using wire::list_ends;
using wire::literal_name;
using wire::order;
using wire::padding_name;
using wire::part_of;
using wire::read_as;
using wire::reserved_name;
using wire::text;
using wire::values_are;
using wire::detail::put_quoted;
using wire::detail::put_values;

// Element type of a row. For example, "u64[2]" is two unsigned integers of 8 bytes. If the row is a
// record, text or padding instead of a number, the type is bytes.
struct row_type {
  char kind = 'u';  // 'u', 'i' or 'f'
  std::size_t size = 1;
  std::size_t count = 1;
  bool array = false;
  bool bytes = false;
};

constexpr row_type type_of(const layout_row& r) noexcept {
  const std::string_view s = r.type.view();
  std::size_t bits = 0, i = 1;
  for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i)
    bits = 10 * bits + static_cast<std::size_t>(s[i] - '0');
  if (bits == 0 || (s[0] != 'u' && s[0] != 'i' && s[0] != 'f')) return {'u', 1, r.size, true, true};
  const std::size_t size = bits / 8;
  if (i < s.size() && s[i] == '[') return {s[0], size, r.size / size, true, false};
  return {s[0], size, 1, false, false};
}
// Returns true if most languages have a number of this type.
constexpr bool is_usual(const row_type& t) noexcept {
  return !t.bytes && (t.size == 4 || t.size == 8 || (t.kind != 'f' && t.size <= 2));
}
constexpr read_as reads(const layout_row& r) noexcept {
  return r.how == nullptr ? read_as::type : r.how->as;
}

constexpr bool ends_with(const layout_row& r, std::string_view name) noexcept {
  const std::string_view s = r.name.view();
  return s.size() >= name.size() && s.substr(s.size() - name.size()) == name;
}
constexpr bool is_padding(const layout_row& r) noexcept { return ends_with(r, padding_name); }
constexpr bool is_literal(const layout_row& r) noexcept { return ends_with(r, literal_name); }
constexpr bool is_reserved(const layout_row& r) noexcept { return ends_with(r, reserved_name); }
// Returns the name of a row without a member, such as "padding_", to which a number is added.
// Returns an empty string for the row of a member.
constexpr std::string_view memberless_name(const layout_row& r) noexcept {
  if (is_padding(r)) return "padding_";
  if (is_literal(r)) return "literal_";
  return is_reserved(r) ? "reserved_" : "";
}
// Returns the prefix of a nested field's name, such as "inner." for "inner.count". Empty if the
// name has no dot.
constexpr std::string_view prefix_of(std::string_view name) noexcept {
  while (!name.empty() && name.back() != '.') name.remove_suffix(1);
  return name;
}
// Returns true if the size, the offset or the presence of a row can vary. Rows after the first such
// row have no fixed offset.
constexpr bool varies(const layout_row& r) noexcept {
  return r.variable_offset || r.counted || r.conditional || r.variable_length;
}
// Returns true if the row is a bit slice without content. Several such slices may have the same
// name.
constexpr bool is_unused(const layout_row& r) noexcept {
  return r.slice && (r.name.view() == "unused" || ends_with(r, ".unused") ||
                     (r.values != nullptr && ends_with(r, "reserved")));
}

// Writes a number in decimal.
template <class Out> constexpr void put(Out& out, std::uint64_t number) {
  text t;
  t += number;
  out(t.view());
}
// Writes a mask of `width` one bits in hexadecimal.
template <class Out> constexpr void put_mask(Out& out, unsigned width) {
  out(std::string_view("0x"));
  if (width % 4 != 0) out(std::string_view("0137").substr(width % 4, 1));
  for (unsigned i = 0; i < width / 4; ++i) out(std::string_view("f"));
}
// Writes a name as an identifier, with _ instead of the dots of nested records.
template <class Out> constexpr void put_name(Out& out, std::string_view name, bool lower = false) {
  for (const char c : name) {
    const char d = c == '.' ? '_' : lower && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    out(std::string_view(&d, 1));
  }
}
constexpr void put_name_to(text& to, std::string_view name, bool lower = false) {
  auto out = [&to](std::string_view s) { to += s; };
  put_name(out, name, lower);
}
// Writes a numbered name such as "bits_0", for words of bit slices and for rows without a name.
template <class Out>
constexpr void put_numbered(Out& out, std::string_view what, std::uint64_t number) {
  out(what);
  put(out, number);
}
// Writes "big-endian" or "little-endian".
template <class Out> constexpr void put_order(Out& out, const layout_row& r) {
  out(std::string_view(r.byte_order == order::big ? "big-endian" : "little-endian"));
}
// Writes the size as text such as "1 to 10", "u16 + 1 x it" or "8 x count".
template <class Out> constexpr void put_size(Out& out, const layout_row& r) {
  if (!r.variable_length) put(out, r.size);
  if (r.counted) out(std::string_view(" x "));
  if (r.variable_length || r.counted) out(r.count.view());
}

}  // namespace tracecodec::emit::detail
